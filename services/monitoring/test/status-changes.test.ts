import { caseObserved } from '@casewatch/contracts/events';
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
const UPDATED = 'Name Was Updated';
const APPROVED = 'Case Was Approved';

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

/** What a user was notified of, in order. */
const statusChanges = async (userId = ADA) =>
  (await monitoring.published()).flatMap((change) =>
    change.userId === userId ? [`${change.oldStatus ?? ''} > ${change.newStatus}`] : [],
  );

test('the first status of a watch that has just begun is recorded without a notification', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  expect(await monitoring.watch(R)).toMatchObject({ last_status: RECEIVED });
  expect(await statusChanges()).toEqual([]);
});

test('the first status after an answer without one is notified of: "New status"', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.observe(R, undefined);
  await monitoring.requestWatch(BOB, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  expect(await statusChanges()).toEqual([` > ${RECEIVED}`]);
  // His watch has just begun.
  expect(await statusChanges(BOB)).toEqual([]);
  await monitoring.observe(R, APPROVED);
  expect(await statusChanges(BOB)).toEqual([`${RECEIVED} > ${APPROVED}`]);
});

test('an answer without a status from before the watch began is no reason to notify', async () => {
  await monitoring.requestWatch(ADA, R, 'daily', { known: { call: 7 } });
  await monitoring.observe(R, undefined, 7);
  await monitoring.observe(R, RECEIVED, 8);
  expect(await statusChanges()).toEqual([]);
});

test('an answer without a status changes neither what is known of a case nor when it is due', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  const before = await monitoring.watches();
  await monitoring.clock.advance(HOUR);
  await monitoring.observe(R, undefined);
  expect(await monitoring.watches()).toEqual(before);
  await monitoring.observe(R, RECEIVED);
  expect(await statusChanges()).toEqual([]);
});

test('a watch begins with the status that the user was shown, so that no change since then is missed', async () => {
  await monitoring.requestWatch(ADA, R, 'weekly', { known: { status: RECEIVED, call: 3 } });
  await monitoring.observe(R, RECEIVED, 3);
  await monitoring.observe(R, APPROVED, 4);
  await monitoring.observe(R, APPROVED, 5);
  expect(await statusChanges()).toEqual([`${RECEIVED} > ${APPROVED}`]);
});

test('a change is published once per watcher, with the old and the new status and the number of its call', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.requestWatch(BOB, R, 'monthly');
  await monitoring.observe(R, RECEIVED, 1);
  await monitoring.clock.advance(DAY);
  await monitoring.observe(R, APPROVED, 2n ** 62n);
  await monitoring.observe(R, APPROVED, 2n ** 62n + 1n);
  const change = {
    receiptNumber: R,
    oldStatus: RECEIVED,
    newStatus: APPROVED,
    callNumber: String(2n ** 62n),
  };
  const published = (await monitoring.published()).map(({ changedAt: _, ...rest }) => rest);
  expect(published.toSorted((a, b) => `${a.userId}`.localeCompare(`${b.userId}`))).toEqual([
    { ...change, userId: ADA },
    { ...change, userId: BOB },
  ]);
});

test('a change has the time of the call that found it, and how long the answer took', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  const nowMs = monitoring.clock.nowMs();
  await monitoring.observe(R, RECEIVED, 1);
  await monitoring.deliver(caseObserved, { ...observation(R, APPROVED, 2, nowMs - HOUR), answerMs: 700 });
  const [change] = await monitoring.published();
  expect([Date.parse(change?.changedAt ?? ''), change?.answerMs]).toEqual([nowMs - HOUR, 700]);
});

test('titles that differ only in how they are written are one status, and the newest is kept', async () => {
  await monitoring.requestWatch(ADA, R, 'daily', { known: { status: RECEIVED, call: 1 } });
  await monitoring.observe(R, ' case was  RECEIVED.', 2);
  expect(await statusChanges()).toEqual([]);
  expect(await monitoring.watch(R)).toMatchObject({ last_status: ' case was  RECEIVED.' });
  await monitoring.observe(R, APPROVED, 3);
  expect(await statusChanges()).toEqual([`${RECEIVED} > ${APPROVED}`]);
});

test('an answer to an earlier call than the one recorded is ignored, whatever the clocks say', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  const nowMs = monitoring.clock.nowMs();
  await monitoring.deliver(caseObserved, observation(R, APPROVED, 2, nowMs - 6 * HOUR));
  await monitoring.clock.advance(HOUR);
  const before = await monitoring.watches();
  await monitoring.deliver(caseObserved, observation(R, RECEIVED, 1, nowMs + 6 * HOUR));
  expect(await monitoring.watches()).toEqual(before);
  expect(await statusChanges()).toEqual([]);
});

test('a time from a clock that is days ahead moves no check', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  const nowMs = monitoring.clock.nowMs();
  await monitoring.deliver(caseObserved, observation(R, RECEIVED, 1, nowMs + 40 * DAY));
  const row = await monitoring.watch(R);
  expect(row?.last_checked_at).toEqual(new Date(nowMs));
  expect(row?.next_check_at.getTime()).toBeLessThanOrEqual(nowMs + DAY);
});

test('observations without watchers are not stored', async () => {
  await monitoring.observe(R, RECEIVED);
  expect(await monitoring.watches()).toEqual([]);
});

test('a former watcher is not notified', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.requestWatch(BOB, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  await monitoring.requestWatch(BOB, R, 'none');
  await monitoring.observe(R, APPROVED);
  expect(await statusChanges()).toHaveLength(1);
  expect(await statusChanges(BOB)).toEqual([]);
});

test('a change that was handled before the request is not missed, whatever the watch of others knows', async () => {
  await monitoring.requestWatch(ADA, R, 'daily', { known: { status: RECEIVED, call: 1 } });
  await monitoring.observe(R, UPDATED, 2);
  await monitoring.observe(R, APPROVED, 3);
  // He was shown the status from before, and another user the newest one.
  await monitoring.requestWatch(BOB, R, 'daily', { known: { status: RECEIVED, call: 1 } });
  await monitoring.requestWatch(user(3), R, 'daily', { known: { status: APPROVED, call: 3 } });
  expect(await statusChanges(BOB)).toEqual([`${RECEIVED} > ${APPROVED}`]);
  expect(await statusChanges(user(3))).toEqual([]);
  await monitoring.observe(R, RECEIVED, 4);
  expect(await statusChanges(BOB)).toEqual([`${RECEIVED} > ${APPROVED}`, `${APPROVED} > ${RECEIVED}`]);
  expect(await statusChanges(user(3))).toEqual([`${APPROVED} > ${RECEIVED}`]);
});

test('an answer that was in flight when a user joined ahead of it still concerns the others, each change', async () => {
  await monitoring.requestWatch(ADA, R, 'daily', { known: { status: RECEIVED, call: 1 } });
  await monitoring.observe(R, RECEIVED, 1);
  await monitoring.requestWatch(BOB, R, 'daily', { known: { status: APPROVED, call: 4 } });
  await monitoring.observe(R, UPDATED, 2);
  await monitoring.observe(R, APPROVED, 4);
  await monitoring.observe(R, RECEIVED, 5);
  expect(await statusChanges()).toEqual([
    `${RECEIVED} > ${UPDATED}`,
    `${UPDATED} > ${APPROVED}`,
    `${APPROVED} > ${RECEIVED}`,
  ]);
  expect(await statusChanges(BOB)).toEqual([`${APPROVED} > ${RECEIVED}`]);
});

test.each([
  ['alone', []],
  ['with another watcher', [BOB]],
])(
  'when a watch continues after a pause, what changed during it is reported at once: %s',
  async (_, others) => {
    const known = { status: RECEIVED, call: 1 };
    await monitoring.requestWatch(ADA, R, 'daily', { version: 10, known });
    for (const other of others) await monitoring.requestWatch(other, R, 'daily', { known });
    await monitoring.requestWatch(ADA, R, 'none', { version: 11 });
    // Another user's lookup has seen it, so that the list shows it, too.
    await monitoring.observe(R, APPROVED, 2);
    expect(await statusChanges()).toEqual([]);
    await monitoring.requestWatch(ADA, R, 'daily', {
      ...{ version: 12, began: 10, known },
      shown: { status: APPROVED, call: 2, ageSeconds: 60 },
    });
    expect(await statusChanges()).toEqual([`${RECEIVED} > ${APPROVED}`]);
    await monitoring.observe(R, APPROVED, 3);
    expect(await statusChanges()).toHaveLength(1);
  },
);

test('what changed while a user did not want to watch is not reported', async () => {
  await monitoring.requestWatch(ADA, R, 'daily', { version: 10, known: { status: RECEIVED, call: 1 } });
  await monitoring.requestWatch(ADA, R, 'none', { version: 11 });
  await monitoring.requestWatch(ADA, R, 'daily', { version: 12, known: { status: APPROVED, call: 2 } });
  await monitoring.observe(R, APPROVED, 3);
  expect(await statusChanges()).toEqual([]);
});

test('a change of frequency repeats and loses no change', async () => {
  const known = { status: RECEIVED, call: 1 };
  await monitoring.requestWatch(ADA, R, 'daily', { version: 10, known });
  await monitoring.observe(R, APPROVED, 2);
  await monitoring.requestWatch(ADA, R, 'weekly', { version: 11, began: 10, known });
  expect(await statusChanges()).toEqual([`${RECEIVED} > ${APPROVED}`]);
  expect(await monitoring.watch(R)).toMatchObject({ period_days: 7, last_status: APPROVED });
});

test('an event that is handed over again has no effect', async () => {
  await monitoring.requestWatch(ADA, R, 'daily', { known: { status: RECEIVED, call: 1 } });
  const id = uuidV7(monitoring.clock.nowMs());
  const payload = observation(R, APPROVED, 2, monitoring.clock.nowMs());
  await monitoring.deliver(caseObserved, payload, { id });
  await monitoring.deliver(caseObserved, payload, { id });
  await monitoring.deliver(caseObserved, payload);
  expect(await statusChanges()).toHaveLength(1);
});

test('several observations in one batch are compared in their order, each receipt number by itself', async () => {
  const now = monitoring.clock.nowMs();
  const receipts = [receipt(1), receipt(2), receipt(3)];
  for (const each of receipts) await monitoring.requestWatch(ADA, each, 'daily');
  const handler = monitoring.service.consumers.find(({ event }) => event.name === caseObserved.name);
  const batch = [RECEIVED, APPROVED, undefined, RECEIVED].flatMap((status, n) =>
    receipts.map((each) => ({
      json: observation(each, status, n + 1, now),
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
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  await monitoring.clock.advance(HOUR);
  await monitoring.observe(R, RECEIVED);
  const now = monitoring.clock.nowMs();
  const row = await monitoring.watch(R);
  expect(row?.last_checked_at).toEqual(new Date(now));
  expect(row?.next_check_at.getTime()).toBeGreaterThan(now + 0.949 * DAY);
  expect(row?.next_check_at.getTime()).toBeLessThanOrEqual(now + DAY);
});

test('a change of a receipt number with ten thousand watchers reaches each once, from one watch', async () => {
  const count = 10_000;
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.observe(R, RECEIVED);
  await monitoring.database.query(
    `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days, version, began, seen_call, seen_status)
     SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 30, 1, 1, 1, $3
     FROM generate_series(2, $2::int) AS n`,
    [R, count, RECEIVED],
  );
  await monitoring.observe(R, APPROVED);
  await monitoring.observe(R, APPROVED);
  const published = await monitoring.published();
  expect(published).toHaveLength(count);
  expect(new Set(published.map(({ userId }) => userId)).size).toBe(count);
});
