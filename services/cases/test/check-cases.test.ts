import { CHECK_CASES_MAX } from '@casewatch/contracts/check-cases';
import { caseObserved } from '@casewatch/contracts/events';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { afterEach, expect, test, vi } from 'vitest';
import { type CasesFixture, type FixtureOptions, startCases } from './cases-fixture.ts';

const SLOW_MACHINE_MS = 30_000;
const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `SRC21900${String(10_000 + index * 2)}`);

let cases: CasesFixture;
afterEach(() => cases.stop());
const start = async (options: FixtureOptions = {}) => {
  cases = await startCases(options);
};
const untilCalled = (times: number) =>
  vi.waitFor(async () => expect((await cases.calls()).total).toBe(times), SLOW_MACHINE_MS);

test('each case has its outcome, with one call, and a bad one fails alone', async () => {
  await start({ clock: systemClock });
  await cases.fault({ mode: 'refused', receiptNumber: 'EAC1000000002' });
  const asked = ['EAC9999103403', 'EAC1234567891', 'EAC1000000002', 'EAC9999103402', 'EAC1000000004'];
  const results = await cases.check([...asked, 'eac-9999-103403']);
  const byNumber = new Map(results.map(({ receiptNumber, ...rest }) => [receiptNumber, rest]));
  expect(results).toHaveLength(asked.length);
  expect(asked.map((number) => byNumber.get(number))).toEqual([
    { outcome: 'observed' },
    { outcome: 'not-recognised', code: 'RECEIPT_NOT_RECOGNISED' },
    { outcome: 'refused', code: 'AGENCY_REFUSED' },
    { outcome: 'failed', code: 'AGENCY_UNAVAILABLE' },
    { outcome: 'observed' },
  ]);
  for (const number of ['EAC9999103403', 'EAC1234567891', 'EAC1000000002', 'EAC1000000004']) {
    expect((await cases.calls(number)).total).toBe(1);
  }
  expect(await cases.eventsOf(caseObserved)).toHaveLength(2);
  for (const event of await cases.eventsOf(caseObserved)) expect(event.source).toBe('monitor');
  for (const event of await cases.logged()) {
    expect(event).toMatchObject({ source: 'monitor' });
    expect(event.userId).toBeUndefined();
  }
});

test('all answers of a check are stored in one transaction, with their events', async () => {
  await start({ bus: createOutboxPublisher({ clock: systemClock }) });
  const asked = numbers(CHECK_CASES_MAX);
  const results = await cases.check(asked);
  expect(results.map(({ outcome }) => outcome)).toEqual(asked.map(() => 'observed'));
  const transactions = await cases.database.query(
    `SELECT xmin::text FROM cases.case_snapshots UNION SELECT xmin::text FROM cases.observations
     UNION SELECT xmin::text FROM cases.outbox`,
  );
  expect(transactions).toHaveLength(1);
  const topics = await cases.database.query(
    `SELECT topic, count(DISTINCT payload)::int AS events FROM cases.outbox WHERE topic = 'case-observed' GROUP BY topic`,
  );
  expect(topics).toEqual([{ topic: 'case-observed', events: 100 }]);
  expect(new Set((await cases.logged()).map(({ receiptNumbers }) => receiptNumbers[0]))).toEqual(
    new Set(asked),
  );
});

test('the log rows of a check share few events, each of a bounded size', async () => {
  await start({ bus: createOutboxPublisher({ clock: systemClock }) });
  const asked = numbers(CHECK_CASES_MAX);
  await cases.check(asked);
  const logged = await cases.logged();
  expect(logged).toHaveLength(asked.length);
  expect(new Set(logged.map(({ callId }) => callId)).size).toBe(asked.length);
  const events = await cases.database.query<{ characters: number }>(
    `SELECT (SELECT sum(length(call->>'requestPayload') + length(call->>'responsePayload'))::int
             FROM jsonb_array_elements(payload->'calls') AS call) AS characters
     FROM cases.outbox WHERE topic = 'agency-calls-recorded'`,
  );
  const characters = events.map((event) => event.characters);
  const all = characters.reduce((sum, some) => sum + some, 0);
  expect(Math.max(...characters)).toBeLessThanOrEqual(100_000);
  expect(events).toHaveLength(Math.ceil(all / 100_000));
});

test('what the second has no room for is not asked, and the caller gets a time to retry', async () => {
  await start({ env: { AGENCY_CALLS_PER_SECOND: '2', BUDGET_WAIT_MS: '0' } });
  const results = await cases.check(numbers(5));
  expect(results.filter(({ outcome }) => outcome === 'observed')).toHaveLength(2);
  const left = results.filter(({ outcome }) => outcome === 'no-budget');
  expect(left).toHaveLength(3);
  for (const result of left) expect(result).toMatchObject({ code: 'AGENCY_BUSY', retryAfterSeconds: 1.001 });
  expect((await cases.calls()).total).toBe(2);
});

test('checks leave users the rest of their half of the day, and get the time when there is more', async () => {
  await start({ env: { AGENCY_CALLS_PER_DAY: '10' } });
  const results = await cases.check(numbers(11));
  expect(results.filter(({ outcome }) => outcome === 'observed')).toHaveLength(7);
  // At noon half of people's five calls is still to come; a whole one more is free for checks when 3.0 of ten are.
  const refused = { code: 'BUDGET_SPENT', retryAfterSeconds: 2.4 * 3_600 };
  expect(results.filter(({ outcome }) => outcome === 'no-budget')).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining(refused)),
  );
  await cases.found('EAC9999103403');
});

test('a failure that holds for every case says when to come back, one that may not does not', async () => {
  await start({ clock: systemClock });
  await cases.fault({ mode: 'unavailable' });
  const failed = { outcome: 'failed', code: 'AGENCY_UNAVAILABLE' };
  expect(await cases.check(['EAC1000000002'])).toEqual([{ receiptNumber: 'EAC1000000002', ...failed }]);
  await cases.check(numbers(10));
  const before = (await cases.calls()).total;
  expect(await cases.check(['EAC1000000004'])).toEqual([
    { receiptNumber: 'EAC1000000004', ...failed, retryAfterSeconds: expect.any(Number) },
  ]);
  expect((await cases.calls()).total).toBe(before);
});

test('a 429 is reported at once: a check does not wait for the end of the pause', async () => {
  await start();
  await cases.fault({ mode: 'rate-limited', count: 1 });
  expect(await cases.check(['EAC1000000002'])).toEqual([
    { receiptNumber: 'EAC1000000002', outcome: 'failed', code: 'AGENCY_BUSY', retryAfterSeconds: 1 },
  ]);
  expect((await cases.calls()).total).toBe(1);
});

test('a fresh answer is read again all the same, unless it is only a moment old, and users see what is new', async () => {
  await start();
  const number = 'SRC2190000202';
  await cases.move(number, 'Case Was Received');
  await cases.found(number);
  await cases.lookUp('EAC1234567891');
  await cases.clock.advance(2_900);
  await cases.move(number, 'Case Was Approved');
  expect(await cases.check([number, 'EAC1234567891'])).toEqual(
    expect.arrayContaining([
      { receiptNumber: number, outcome: 'observed' },
      { receiptNumber: 'EAC1234567891', outcome: 'not-recognised', code: 'RECEIPT_NOT_RECOGNISED' },
    ]),
  );
  expect((await cases.calls()).total).toBe(2);
  const [first, again, ...others] = await cases.eventsOf(caseObserved);
  expect(first).toMatchObject({ receiptNumber: number, status: 'Case Was Received', source: 'user' });
  expect([again, others], 'for a watch that began after the first').toEqual([
    { ...first, source: 'monitor', answerMs: undefined },
    [],
  ]);
  await cases.clock.advance(100);
  await cases.check([number]);
  expect((await cases.calls(number)).total).toBe(2);
  expect((await cases.found(number)).caseStatus).toBe('Case Was Approved');
  expect((await cases.calls(number)).total).toBe(2);
});

const RECEIVED = 'Case Was Received';
const known = (receiptNumber: string, status: string, terminal = false) => [
  { receiptNumber, status, terminal },
];
const observed = async () =>
  (await cases.eventsOf(caseObserved)).map(({ status, source }) => [status, source]);

test('an answer that says only what its watch knows has no event, and is stored and logged as ever', async () => {
  await start();
  const number = 'SRC2190000202';
  await cases.move(number, RECEIVED);
  await cases.save(number);
  await cases.check([number]);
  await cases.clock.advance(86_400_000);
  const atMs = cases.clock.nowMs();
  expect(await cases.check([number], known(number, RECEIVED))).toEqual([
    { receiptNumber: number, outcome: 'observed' },
  ]);
  expect(await observed()).toEqual([[RECEIVED, 'monitor']]);
  const [saved] = await cases.saved();
  expect(Date.parse(saved?.lastCheckedAt ?? '')).toBe(atMs);
  expect((await cases.found(number)).observedAt).toBe(new Date(atMs).toISOString());
  expect(await cases.logged()).toMatchObject([{ outcome: 'answered' }, { outcome: 'answered' }]);
});

test.each<[string, string, [string, boolean] | undefined]>([
  ['knows nothing', RECEIVED, undefined],
  ['knows another status', RECEIVED, ['Case Was Approved', false]],
  ['takes the status for the last one', RECEIVED, [RECEIVED, true]],
  ['takes the last status for another', 'Case Was Denied', ['Case Was Denied', false]],
])('an unchanged answer has an event where the watch %s', async (_, status, watch) => {
  await start();
  const number = 'SRC2190000202';
  await cases.move(number, status);
  await cases.check([number]);
  await cases.clock.advance(86_400_000);
  await cases.check([number], watch && known(number, ...watch));
  expect(await observed()).toEqual([
    [status, 'monitor'],
    [status, 'monitor'],
  ]);
});

test('a change back has an event, also while that of the change has not reached the watch', async () => {
  await start();
  const number = 'SRC2190000202';
  await cases.move(number, RECEIVED);
  await cases.check([number]);
  await cases.clock.advance(86_400_000);
  await cases.move(number, 'Case Was Approved');
  await cases.found(number);
  await cases.clock.advance(3_000);
  await cases.move(number, RECEIVED);
  // What the watch knew when it was claimed.
  await cases.check([number], known(number, RECEIVED));
  expect(await observed()).toEqual([
    [RECEIVED, 'monitor'],
    ['Case Was Approved', 'user'],
    [RECEIVED, 'monitor'],
  ]);
});

test('an answer of a moment ago is published again only for a watch that does not know it', async () => {
  await start();
  const number = 'SRC2190000202';
  await cases.move(number, RECEIVED);
  await cases.check([number]);
  await cases.check([number], known(number, RECEIVED));
  expect(await observed()).toHaveLength(1);
  await cases.check([number], known(number, 'Case Was Approved'));
  expect(await observed()).toHaveLength(2);
  expect((await cases.calls()).total).toBe(1);
});

test('a check that shares the call of one whose watch knew the answer has an event of its own', async () => {
  await start({ clock: systemClock });
  const number = 'SRC2190000202';
  await cases.move(number, RECEIVED);
  await cases.found(number);
  await cases.database.query(
    `UPDATE cases.case_snapshots SET observed_at = observed_at - interval '1 day', spanish_at = NULL`,
  );
  await cases.control('PUT', '/latency', { ms: 500 });
  const first = cases.check([number], known(number, RECEIVED));
  await untilCalled(2);
  await Promise.all([first, cases.check([number], known(number, RECEIVED))]);
  expect(await observed()).toHaveLength(1);
  await cases.database.query(
    `UPDATE cases.case_snapshots SET observed_at = observed_at - interval '1 day', spanish_at = NULL`,
  );
  const second = cases.check([number], known(number, RECEIVED));
  await untilCalled(3);
  expect(await Promise.all([second, cases.check([number])])).toEqual(
    Array(2).fill([{ receiptNumber: number, outcome: 'observed' }]),
  );
  expect(await observed()).toEqual([
    [RECEIVED, 'user'],
    [RECEIVED, 'monitor'],
  ]);
  expect((await cases.calls()).total).toBe(3);
});

test('an answer whose scheduler has left has an event, which settles the watch', async () => {
  await start({ clock: systemClock });
  const number = 'SRC2190000202';
  await cases.move(number, RECEIVED);
  await cases.found(number);
  await cases.database.query(
    `UPDATE cases.case_snapshots SET observed_at = observed_at - interval '1 day', spanish_at = NULL`,
  );
  await cases.control('PUT', '/latency', { ms: 500 });
  const leaving = new AbortController();
  const check = cases.check([number], known(number, RECEIVED), leaving.signal).catch(() => 'left');
  await untilCalled(2);
  leaving.abort();
  expect(await check).toBe('left');
  await expect.poll(observed, { timeout: SLOW_MACHINE_MS }).toEqual([
    [RECEIVED, 'user'],
    [RECEIVED, 'monitor'],
  ]);
});

test('a check and a user’s lookup of one case at the same time share one call', async () => {
  await start();
  await cases.control('PUT', '/latency', { ms: 500 });
  const [watched = '', other = ''] = numbers(2);
  const check = cases.check([watched]);
  await untilCalled(1);
  expect((await cases.found(watched)).receiptNumber).toBe(watched);
  expect(await check).toEqual([{ receiptNumber: watched, outcome: 'observed' }]);

  const look = cases.found(other);
  await untilCalled(2);
  expect(await cases.check([other])).toEqual([{ receiptNumber: other, outcome: 'observed' }]);
  await look;
  expect((await cases.calls()).total).toBe(2);
  expect((await cases.eventsOf(caseObserved)).map(({ source }) => source)).toEqual(['monitor', 'user']);
});

test('a check ends in time, without its slow cases, whose answers are stored when they come', async () => {
  await start({ env: { AGENCY_TIMEOUT_MS: '60000' } });
  const [slow = '', prompt = ''] = numbers(2);
  await cases.found(slow);
  const [{ status } = { status: '' }] = await cases.eventsOf(caseObserved);
  await cases.clock.advance(3_000);
  await cases.fault({ mode: 'slow', receiptNumber: slow, delayMs: 2_000 });
  // Its watch hears of the answer by the event alone.
  const check = cases.check([slow, prompt], known(slow, status));
  await untilCalled(3);
  await cases.found(prompt);
  await cases.clock.advance(3_500);
  expect(await check).toEqual([
    { receiptNumber: slow, outcome: 'failed', code: 'AGENCY_UNAVAILABLE' },
    { receiptNumber: prompt, outcome: 'observed' },
  ]);
  await vi.waitFor(
    async () =>
      expect((await cases.eventsOf(caseObserved)).map(({ receiptNumber }) => receiptNumber)).toEqual([
        slow,
        prompt,
        slow,
      ]),
    SLOW_MACHINE_MS,
  );
  expect((await cases.calls()).total).toBe(3);
}, 60_000);

test('an answer is stored a moment after it came, while the check waits for others', async () => {
  await start({ env: { AGENCY_TIMEOUT_MS: '60000' } });
  const [hanging = '', prompt = ''] = numbers(2);
  await cases.fault({ mode: 'timeout', receiptNumber: hanging });
  let isOver = false;
  const check = cases.check([hanging, prompt]).finally(() => {
    isOver = true;
  });
  await untilCalled(2);
  // Far between: the answer has come long before the check's own time is over.
  await vi.waitFor(
    async () => {
      await cases.clock.advance(75);
      expect(await cases.eventsOf(caseObserved)).toMatchObject([{ receiptNumber: prompt }]);
    },
    { timeout: SLOW_MACHINE_MS, interval: 500 },
  );
  expect(isOver).toBe(false);
  await cases.clock.advance(3_500);
  expect(await check).toMatchObject([
    { receiptNumber: hanging, outcome: 'failed' },
    { receiptNumber: prompt, outcome: 'observed' },
  ]);
}, 60_000);

test('a user’s lookup that shares a check without room in time waits on', async () => {
  const joined = Promise.withResolvers<void>();
  await start({
    env: { AGENCY_CALLS_PER_SECOND: '1', AGENCY_TIMEOUT_MS: '60000', BUDGET_WAIT_MS: '4000' },
    onQueued: ({ kind }) => {
      if (kind === 'user') joined.resolve();
    },
  });
  const [hanging = '', waiting = ''] = numbers(2);
  await cases.fault({ mode: 'timeout', receiptNumber: hanging });
  const check = cases.check([hanging, waiting]);
  await untilCalled(1);
  const look = cases.found(waiting);
  await joined.promise;
  // The check waits for its turn no longer, the person does; a permit is free three seconds after the hanging call.
  await cases.clock.advance(2_001);
  await cases.clock.advance(1_001);
  expect(await look).toMatchObject({ receiptNumber: waiting });
  // The check waits no longer for answers.
  await cases.clock.advance(2_000);
  expect(await check).toMatchObject([
    { receiptNumber: hanging, outcome: 'failed' },
    { receiptNumber: waiting, outcome: 'observed' },
  ]);
}, 60_000);

test('an answer that can’t be stored fails alone', async () => {
  await start();
  const [bad = '', ...good] = numbers(4);
  await cases.database.query(`
    CREATE FUNCTION cases.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.receipt_number = '${bad}' THEN RAISE EXCEPTION 'no'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON cases.case_snapshots FOR EACH ROW EXECUTE FUNCTION cases.refuse()`);
  expect(await cases.check([bad, ...good])).toEqual([
    { receiptNumber: bad, outcome: 'failed', code: 'INTERNAL' },
    ...good.map((receiptNumber) => ({ receiptNumber, outcome: 'observed' })),
  ]);
  expect((await cases.eventsOf(caseObserved)).map(({ receiptNumber }) => receiptNumber).sort()).toEqual(good);
});

test('only the product itself may ask, for well-formed receipt numbers', async () => {
  await start();
  const body = { receiptNumbers: ['EAC9999103403'] };
  const refused = await cases.call('POST', '/internal/cases/check', {
    body,
    headers: { 'x-casewatch-internal': 'guess' },
  });
  expect(refused.status).toBe(404);
  for (const receiptNumbers of [[], ['nonsense'], numbers(CHECK_CASES_MAX + 1)]) {
    const answer = await cases.call('POST', '/internal/cases/check', { body: { receiptNumbers } });
    expect(answer.status).toBe(400);
  }
  expect((await cases.calls()).total).toBe(0);
});
