import { caseObserved, caseWatchChanged } from '@casewatch/contracts/events';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  DAY,
  HOUR,
  type Monitoring,
  observation,
  receipt,
  startMonitoring,
  user,
} from './monitoring-fixture.ts';

const R = receipt(1);
const ADA = user(1);
const BOB = user(2);
const RECEIVED = 'Case Was Received';
const APPROVED = 'Case Was Approved';

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

const byUser = (a: Record<string, string>, b: Record<string, string>) =>
  `${a.userId}`.localeCompare(`${b.userId}`);

test('the first status known is recorded without a notification', async () => {
  await monitoring.wish(ADA, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  expect(await monitoring.watch(R)).toMatchObject({ last_status: RECEIVED });
  expect(await monitoring.published()).toEqual([]);
});

test('a watch begins with the status that the user was shown, so that no change since then is missed', async () => {
  const observedAt = new Date(monitoring.clock.nowMs() - DAY).toISOString();
  const known = { status: RECEIVED, observedAt };
  await monitoring.deliver(caseWatchChanged, { userId: ADA, receiptNumber: R, frequency: 'weekly', known });
  expect(await monitoring.watch(R)).toMatchObject({ last_status: RECEIVED, last_checked_at: null });
  await monitoring.clock.advance(HOUR);
  await monitoring.observe(R, RECEIVED, { atMs: Date.parse(observedAt) });
  await monitoring.observe(R, APPROVED);
  await monitoring.observe(R, APPROVED);
  expect(await monitoring.published()).toMatchObject([
    { userId: ADA, receiptNumber: R, oldStatus: RECEIVED, newStatus: APPROVED },
  ]);
});

test('what a later watcher was shown does not replace what a watch knows', async () => {
  await monitoring.wish(ADA, R, 'daily');
  await monitoring.observe(R, APPROVED);
  await monitoring.clock.advance(HOUR);
  const known = { status: RECEIVED, observedAt: new Date(monitoring.clock.nowMs() - DAY).toISOString() };
  await monitoring.deliver(caseWatchChanged, { userId: BOB, receiptNumber: R, frequency: 'daily', known });
  expect(await monitoring.watch(R)).toMatchObject({ last_status: APPROVED });
  await monitoring.clock.advance(HOUR);
  await monitoring.observe(R, APPROVED);
  // Of the two only this one was shown another status.
  const change = { userId: BOB, oldStatus: RECEIVED, newStatus: APPROVED };
  expect(await monitoring.published()).toMatchObject([change]);
});

test('a change is published once per watcher, with the old and the new status', async () => {
  await monitoring.wish(ADA, R, 'daily');
  await monitoring.wish(BOB, R, 'monthly');
  await monitoring.observe(R, RECEIVED);
  await monitoring.clock.advance(DAY);
  await monitoring.observe(R, APPROVED);
  await monitoring.clock.advance(DAY);
  await monitoring.observe(R, APPROVED);
  const changedAt = '2026-01-06T12:00:00Z';
  const change = { receiptNumber: R, oldStatus: RECEIVED, newStatus: APPROVED };
  const published = (await monitoring.published()).sort(byUser);
  expect(published.map(({ changedAt: _, ...rest }) => rest)).toEqual([
    { ...change, userId: ADA },
    { ...change, userId: BOB },
  ]);
  expect(Date.parse(published[0]?.changedAt ?? '')).toBe(Date.parse(changedAt));
});

test('a change has the time of the call that found it, and how long the answer took', async () => {
  await monitoring.wish(ADA, R, 'daily');
  const nowMs = monitoring.clock.nowMs();
  await monitoring.observe(R, RECEIVED);
  await monitoring.deliver(caseObserved, { ...observation(R, APPROVED, nowMs + HOUR), answerMs: 700 });
  const [change] = await monitoring.published();
  expect([Date.parse(change?.changedAt ?? ''), change?.answerMs]).toEqual([nowMs + HOUR, 700]);
});

test('of two observations of the same time the first that is handled counts until the next one', async () => {
  await monitoring.wish(ADA, R, 'daily');
  const atMs = monitoring.clock.nowMs();
  await monitoring.observe(R, RECEIVED, { atMs });
  await monitoring.observe(R, APPROVED, { atMs });
  expect(await monitoring.published()).toEqual([]);
  await monitoring.observe(R, APPROVED, { atMs: atMs + DAY });
  expect(await monitoring.published()).toMatchObject([{ oldStatus: RECEIVED, newStatus: APPROVED }]);
});

test('an observation that is older than the one recorded is ignored', async () => {
  await monitoring.wish(ADA, R, 'daily');
  const now = monitoring.clock.nowMs();
  await monitoring.observe(R, APPROVED, { atMs: now });
  await monitoring.observe(R, RECEIVED, { atMs: now - 1 });
  expect(await monitoring.watch(R)).toMatchObject({ last_status: APPROVED });
  expect(await monitoring.published()).toEqual([]);
});

test('observations without watchers are not stored', async () => {
  await monitoring.observe(R, RECEIVED);
  expect(await monitoring.watches()).toEqual([]);
});

test('a former watcher is not notified', async () => {
  await monitoring.wish(ADA, R, 'daily');
  await monitoring.wish(BOB, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  await monitoring.wish(BOB, R, 'none');
  await monitoring.clock.advance(HOUR);
  await monitoring.observe(R, APPROVED);
  expect((await monitoring.published()).map(({ userId }) => userId)).toEqual([ADA]);
});

test('a watcher added after an observed change is not notified of it, whichever event comes first', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'daily', now);
  await monitoring.observe(R, RECEIVED, { atMs: now + 1 });
  await monitoring.wish(BOB, R, 'daily', now + HOUR);
  await monitoring.observe(R, APPROVED, { atMs: now + 2 });
  await monitoring.wish(user(3), R, 'daily', now + HOUR);
  expect((await monitoring.published()).map(({ userId }) => userId)).toEqual([ADA]);
});

test('a watcher added before an observed change is notified of it, even if its event comes later', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'daily', now);
  await monitoring.observe(R, RECEIVED, { atMs: now + 1 });
  await monitoring.observe(R, APPROVED, { atMs: now + HOUR });
  await monitoring.wish(BOB, R, 'daily', now + 2);
  await monitoring.wish(BOB, R, 'weekly', now + 3);
  expect(await monitoring.published()).toMatchObject([
    { userId: ADA },
    { userId: BOB, oldStatus: RECEIVED, newStatus: APPROVED },
  ]);
});

test('a change that was observed before the wish, but after what the user was shown, is not missed', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'daily', now);
  await monitoring.observe(R, RECEIVED, { atMs: now });
  // Answered at +30, not stored yet when the user was shown the status before it and wished to watch at +50.
  const known = { status: RECEIVED, observedAt: new Date(now).toISOString() };
  const wish = { receiptNumber: R, frequency: 'daily', known } as const;
  await monitoring.deliver(caseWatchChanged, { ...wish, userId: BOB }, { atMs: now + 50 });
  await monitoring.observe(R, APPROVED, { atMs: now + 30 });
  await monitoring.deliver(caseWatchChanged, { ...wish, userId: user(3) }, { atMs: now + 50 });
  // Was shown it.
  const shown = { status: APPROVED, observedAt: new Date(now + 30).toISOString() };
  await monitoring.deliver(caseWatchChanged, { ...wish, known: shown, userId: user(4) }, { atMs: now + 20 });
  expect((await monitoring.published()).map(({ userId }) => userId).sort()).toEqual([ADA, BOB, user(3)]);
});

test('of several changes before a wish is handled one notification leads from what the user was shown', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'daily', now);
  await monitoring.observe(R, RECEIVED, { atMs: now });
  await monitoring.observe(R, 'Name Was Updated', { atMs: now + HOUR });
  await monitoring.observe(R, APPROVED, { atMs: now + 2 * HOUR });
  const known = { status: RECEIVED, observedAt: new Date(now).toISOString() };
  const wish = { userId: BOB, receiptNumber: R, frequency: 'daily', known } as const;
  await monitoring.deliver(caseWatchChanged, wish, { atMs: now + 1 });
  const toBob = (await monitoring.published()).filter(({ userId }) => userId === BOB);
  expect(toBob).toMatchObject([{ oldStatus: RECEIVED, newStatus: APPROVED }]);
  expect(toBob).toHaveLength(1);
});

/**
 * Ada's watch begins with an older status than cases stored by then: the observation was handled before her wish. Bob was
 * shown that newer one. So many of the observations are handled before Bob's
 * wish.
 */
const joinAhead = async (
  then: readonly (readonly [status: string, afterMs: number])[],
  { handledAfter = 0 } = {},
) => {
  const now = monitoring.clock.nowMs();
  const begin = (userId: string, status: string, afterMs: number) => {
    const known = { status, observedAt: new Date(now + afterMs).toISOString() };
    const wish = { userId, receiptNumber: R, frequency: 'daily' as const, known };
    return monitoring.deliver(caseWatchChanged, wish, { atMs: now + afterMs + 10 });
  };
  await monitoring.observe(R, APPROVED, { atMs: now + 30 });
  await begin(ADA, RECEIVED, 0);
  for (const [status, afterMs] of then.slice(0, handledAfter))
    await monitoring.observe(R, status, { atMs: now + afterMs });
  await begin(BOB, APPROVED, 30);
  for (const [status, afterMs] of then.slice(handledAfter))
    await monitoring.observe(R, status, { atMs: now + afterMs });
  const changes = await monitoring.published();
  const of = (user: string) =>
    changes.flatMap(({ userId, oldStatus, newStatus }) =>
      userId === user ? [`${oldStatus} > ${newStatus}`] : [],
    );
  return { ada: of(ADA), bob: of(BOB) };
};

test.each([
  ['before', 1],
  ['after', 0],
])(
  'a user who joins a watch that knows less than the list showed is not notified of what it showed: check handled %s the wish',
  async (_, handledAfter) => {
    const { ada, bob } = await joinAhead([[APPROVED, HOUR]], { handledAfter });
    expect({ ada, bob }).toEqual({ ada: [`${RECEIVED} > ${APPROVED}`], bob: [] });
  },
);

test('a user who joins a watch that knows less than the list showed is notified of each change from there on', async () => {
  // For Ada's watch the status is what it was.
  const back = await joinAhead([
    [RECEIVED, HOUR],
    [APPROVED, 2 * HOUR],
  ]);
  expect(back).toEqual({
    ada: [`${RECEIVED} > ${APPROVED}`],
    bob: [`${APPROVED} > ${RECEIVED}`, `${RECEIVED} > ${APPROVED}`],
  });
});

test('a user who joins late is notified of a status that the list showed, when another one came in between', async () => {
  const back = await joinAhead(
    [
      [RECEIVED, HOUR],
      [APPROVED, 2 * HOUR],
    ],
    { handledAfter: 2 },
  );
  const change = [`${RECEIVED} > ${APPROVED}`];
  expect(back).toEqual({ ada: change, bob: change });
});

test('an observation that was in flight when a user joined ahead of it still concerns the others, each change', async () => {
  const { ada, bob } = await joinAhead([
    ['Name Was Updated', 20],
    [APPROVED, 30],
    [RECEIVED, HOUR],
  ]);
  expect(ada).toEqual([
    `${RECEIVED} > Name Was Updated`,
    `Name Was Updated > ${APPROVED}`,
    `${APPROVED} > ${RECEIVED}`,
  ]);
  expect(bob).toEqual([`${APPROVED} > ${RECEIVED}`]);
});

test('a watcher who comes back is notified of what changes from then on, and one who only changes the frequency of all', async () => {
  const now = monitoring.clock.nowMs();
  for (const userId of [ADA, BOB]) await monitoring.wish(userId, R, 'daily', now);
  await monitoring.observe(R, RECEIVED, { atMs: now + 1 });
  await monitoring.wish(BOB, R, 'none', now + 2);
  await monitoring.wish(BOB, R, 'daily', now + HOUR);
  await monitoring.wish(ADA, R, 'weekly', now + HOUR);
  await monitoring.observe(R, APPROVED, { atMs: now + HOUR - 1 });
  expect((await monitoring.published()).map(({ userId }) => userId)).toEqual([ADA]);
  await monitoring.observe(R, 'Case Was Reopened', { atMs: now + HOUR });
  expect(
    (await monitoring.published())
      .map(({ userId }) => userId)
      .slice(1)
      .sort(),
  ).toEqual([ADA, BOB]);
});

/** User and new status of each notification. */
const notified = async () =>
  (await monitoring.published()).map(({ userId, newStatus }) => `${userId} ${newStatus}`).sort();

test.each([
  ['alone', []],
  ['beside another watcher', [BOB]],
])(
  'a change that was published before the end of a watch was handled is not published again when the user comes back: %s',
  async (_, others) => {
    const all = [ADA, ...others];
    const now = monitoring.clock.nowMs();
    const known = { status: RECEIVED, observedAt: new Date(now).toISOString() };
    const begin = (userId: string, atMs: number) =>
      monitoring.deliver(caseWatchChanged, { userId, receiptNumber: R, frequency: 'daily', known }, { atMs });
    for (const userId of all) await begin(userId, now);
    await monitoring.observe(R, APPROVED, { atMs: now + 30 });
    // Both were published while the list still showed the status before.
    await monitoring.wish(ADA, R, 'none', now + 10);
    await begin(ADA, now + 20);
    await monitoring.observe(R, APPROVED, { atMs: now + HOUR });
    const approved = all.map((userId) => `${userId} ${APPROVED}`);
    expect(await notified()).toEqual(approved);
    await monitoring.observe(R, RECEIVED, { atMs: now + 2 * HOUR });
    expect(await notified()).toEqual([...approved, ...all.map((userId) => `${userId} ${RECEIVED}`)].sort());
  },
);

test('a watch that another user began with an older status catches up with what a user who comes back was notified of', async () => {
  const now = monitoring.clock.nowMs();
  const known = { status: RECEIVED, observedAt: new Date(now).toISOString() };
  const begin = (userId: string, atMs: number) =>
    monitoring.deliver(caseWatchChanged, { userId, receiptNumber: R, frequency: 'daily', known }, { atMs });
  await begin(ADA, now);
  await monitoring.observe(R, APPROVED, { atMs: now + 30 });
  await monitoring.wish(ADA, R, 'none', now + 10);
  await begin(BOB, now + 15);
  const due = await monitoring.watch(R);
  await begin(ADA, now + 20);
  expect(await monitoring.watch(R)).toMatchObject({
    last_status: APPROVED,
    next_check_at: due?.next_check_at,
  });
  expect(await notified()).toEqual([`${ADA} ${APPROVED}`, `${BOB} ${APPROVED}`]);
  // It went back before the next check: a change for both.
  await monitoring.observe(R, RECEIVED, { atMs: now + HOUR });
  expect((await notified()).filter((one) => one.endsWith(RECEIVED))).toHaveLength(2);
});

test('a change stays the last one while the status does, for watchers whose event comes late', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'daily', now);
  await monitoring.observe(R, RECEIVED, { atMs: now + 1 });
  await monitoring.observe(R, APPROVED, { atMs: now + HOUR });
  await monitoring.observe(R, APPROVED, { atMs: now + 2 * HOUR });
  await monitoring.wish(BOB, R, 'daily', now + HOUR);
  await monitoring.wish(user(3), R, 'daily', now + HOUR + 1);
  expect(
    (await monitoring.published()).map(({ userId, changedAt }) => [userId, Date.parse(changedAt ?? '')]),
  ).toEqual([
    [ADA, now + HOUR],
    [BOB, now + HOUR],
  ]);
});

test('an event that is handed over again has no effect', async () => {
  await monitoring.wish(ADA, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  await monitoring.clock.advance(HOUR);
  const atMs = monitoring.clock.nowMs();
  const id = uuidV7(atMs);
  const payload = observation(R, APPROVED, atMs);
  await monitoring.deliver(caseObserved, payload, { atMs, id });
  await monitoring.deliver(caseObserved, payload, { atMs, id });
  expect(await monitoring.published()).toHaveLength(1);
});

test('several observations in one batch are compared in their order, each receipt number by itself', async () => {
  const now = monitoring.clock.nowMs();
  const receipts = [receipt(1), receipt(2), receipt(3)];
  for (const each of receipts) await monitoring.wish(ADA, each, 'daily', now - 1);
  const [, handler] = monitoring.service.consumers;
  const batch = [RECEIVED, APPROVED, RECEIVED].flatMap((status, n) =>
    receipts.map((each) => ({
      json: observation(each, status, now + n),
      meta: { id: uuidV7(now), timeMs: now, traceparent: undefined },
    })),
  );
  await inTransaction(monitoring.pool, async (tx) => handler?.handleBatch?.(batch, tx));
  const published = await monitoring.published();
  for (const each of receipts) {
    const own = published.filter(({ receiptNumber }) => receiptNumber === each);
    expect(own.map(({ oldStatus, newStatus }) => [oldStatus, newStatus])).toEqual([
      [RECEIVED, APPROVED],
      [APPROVED, RECEIVED],
    ]);
  }
});

test('every observation counts as a check: the next one is due a period later', async () => {
  await monitoring.wish(ADA, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  const now = monitoring.clock.nowMs();
  const row = await monitoring.watch(R);
  expect(row?.last_checked_at).toEqual(new Date(now));
  expect(row?.next_check_at.getTime()).toBeGreaterThan(now + 0.949 * DAY);
  expect(row?.next_check_at.getTime()).toBeLessThanOrEqual(now + DAY);
});

test('a case that nothing is expected to follow is checked monthly at most, until it moves again', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'daily');
  await monitoring.observe(R, APPROVED, { terminal: true });
  expect((await monitoring.watch(R))?.next_check_at.getTime()).toBeGreaterThan(now + 28 * DAY);
  await monitoring.clock.advance(HOUR);
  await monitoring.observe(R, 'Case Was Reopened');
  expect((await monitoring.watch(R))?.next_check_at.getTime()).toBeLessThanOrEqual(now + DAY + HOUR);
  expect(await monitoring.published()).toHaveLength(1);
});

test('a change of a receipt number with ten thousand watchers reaches each once, from one watch', async () => {
  const count = 10_000;
  await monitoring.database.query(
    `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days, since, changed_at)
     SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 30, $3, $3
     FROM generate_series(2, $2::int) AS n`,
    [R, count, new Date(monitoring.clock.nowMs())],
  );
  await monitoring.wish(ADA, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  expect(await monitoring.watches()).toHaveLength(1);
  await monitoring.clock.advance(HOUR);
  await monitoring.observe(R, APPROVED);
  const published = await monitoring.published();
  expect(published).toHaveLength(count);
  expect(new Set(published.map(({ userId }) => userId)).size).toBe(count);
});
