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
    { outcome: 'not-recognized', code: 'RECEIPT_NOT_RECOGNIZED' },
    { outcome: 'refused', code: 'AGENCY_REFUSED' },
    { outcome: 'failed', code: 'AGENCY_UNAVAILABLE' },
    { outcome: 'observed' },
  ]);
  for (const number of ['EAC9999103403', 'EAC1234567891', 'EAC1000000002', 'EAC1000000004']) {
    expect((await cases.calls(number)).total).toBe(1);
  }
  const events = await cases.eventsOf(caseObserved);
  expect(events.map(({ outcome }) => outcome).sort()).toEqual([
    'not-recognized',
    'observed',
    'observed',
    'refused',
  ]);
  for (const event of events) expect(event.source).toBe('monitor');
  for (const event of await cases.logged()) {
    expect(event).toMatchObject({ source: 'monitor' });
    expect(event.userId).toBeUndefined();
  }
});

test('each answer of a check is stored in one transaction with its event, and what came during the call with it', async () => {
  await start({ bus: createOutboxPublisher({ clock: systemClock }) });
  await cases.control('PUT', '/latency', { ms: 300 });
  const asked = numbers(CHECK_CASES_MAX);
  const results = await cases.check(asked);
  expect(results.map(({ outcome }) => outcome)).toEqual(asked.map(() => 'observed'));
  const transactions = await cases.database.query<{ answers: number }>(
    `SELECT count(*)::int AS answers FROM cases.case_snapshots AS snapshot
     JOIN cases.outbox AS event ON event.topic = 'case-observed' AND event.xmin::text = snapshot.xmin::text
       AND event.payload->>'receiptNumber' = snapshot.receipt_number
     GROUP BY snapshot.xmin::text`,
  );
  expect(transactions.reduce((sum, { answers }) => sum + answers, 0)).toBe(asked.length);
  expect(transactions.length).toBeLessThan(asked.length / 2);
  expect(new Set((await cases.logged()).map(({ receiptNumber }) => receiptNumber))).toEqual(new Set(asked));
});

test('the log rows of a check share few events, each of a bounded size', async () => {
  await start({ bus: createOutboxPublisher({ clock: systemClock }) });
  await cases.control('PUT', '/latency', { ms: 300 });
  const asked = numbers(CHECK_CASES_MAX);
  await cases.check(asked);
  const logged = await cases.logged();
  expect(logged).toHaveLength(asked.length);
  expect(new Set(logged.map(({ id }) => id)).size).toBe(asked.length);
  const events = await cases.database.query<{ characters: number }>(
    `SELECT (SELECT sum(length(call->>'response'))::int
             FROM jsonb_array_elements(payload->'lookups') AS row, jsonb_array_elements(row->'calls') AS call) AS characters
     FROM cases.outbox WHERE topic = 'lookups-recorded'`,
  );
  expect(Math.max(...events.map(({ characters }) => characters))).toBeLessThanOrEqual(100_000);
  expect(events.length).toBeLessThan(asked.length / 2);
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

test('a 429 is reported at once: a check does not wait for the end of the pause', async () => {
  await start();
  await cases.fault({ mode: 'rate-limited', count: 1 });
  expect(await cases.check(['EAC1000000002'])).toEqual([
    { receiptNumber: 'EAC1000000002', outcome: 'failed', code: 'AGENCY_BUSY', retryAfterSeconds: 1 },
  ]);
  expect((await cases.calls()).total).toBe(1);
});

test('a fresh answer is read again all the same, and users see what is new', async () => {
  await start();
  const number = 'SRC2190000202';
  await cases.move(number, 'Case Was Received');
  await cases.found(number);
  await cases.lookUp('EAC1234567891');
  await cases.move(number, 'Case Was Approved');
  expect(await cases.check([number, 'EAC1234567891'])).toEqual(
    expect.arrayContaining([
      { receiptNumber: number, outcome: 'observed' },
      { receiptNumber: 'EAC1234567891', outcome: 'not-recognized', code: 'RECEIPT_NOT_RECOGNIZED' },
    ]),
  );
  expect((await cases.calls()).total).toBe(4);
  expect((await cases.found(number)).caseStatus).toBe('Case Was Approved');
  expect((await cases.calls(number)).total).toBe(2);
});

const RECEIVED = 'Case Was Received';
const observed = async () =>
  (await cases.eventsOf(caseObserved)).map(({ outcome, status, source }) => [outcome, status, source]);

test('a check with the same answer as before moves the time of the last check', async () => {
  await start();
  const number = 'SRC2190000202';
  await cases.move(number, RECEIVED);
  await cases.save(number);
  await cases.check([number]);
  await cases.clock.advance(86_400_000);
  const atMs = cases.clock.nowMs();
  expect(await cases.check([number])).toEqual([{ receiptNumber: number, outcome: 'observed' }]);
  const [saved] = await cases.saved();
  expect(Date.parse(saved?.lastCheckedAt ?? '')).toBe(atMs);
  expect((await cases.found(number)).observedAt).toBe(new Date(atMs).toISOString());
  await expect
    .poll(async () => (await cases.logged()).map(({ outcome }) => outcome))
    .toEqual(['answered', 'answered', 'stored']);
});

test('every answer is published, also an unchanged one and one without a status, with a higher number each time', async () => {
  await start({ clock: systemClock });
  const number = 'SRC2190000202';
  await cases.move(number, RECEIVED);
  for (const mode of [undefined, undefined, 'not-found', 'refused', undefined]) {
    if (mode) await cases.fault({ mode, receiptNumber: number, count: 1 });
    await cases.check([number]);
  }
  expect(await observed()).toEqual([
    ['observed', RECEIVED, 'monitor'],
    ['observed', RECEIVED, 'monitor'],
    ['not-recognized', undefined, 'monitor'],
    ['refused', undefined, 'monitor'],
    ['observed', RECEIVED, 'monitor'],
  ]);
  const numbersOfCalls = (await cases.eventsOf(caseObserved)).map(({ callNumber }) => BigInt(callNumber));
  expect(numbersOfCalls).toEqual(numbersOfCalls.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(new Set(numbersOfCalls).size).toBe(5);
});

test('an answer whose scheduler has left has an event, which settles the watch', async () => {
  await start({ clock: systemClock });
  const number = 'SRC2190000202';
  await cases.move(number, RECEIVED);
  await cases.control('PUT', '/latency', { ms: 500 });
  const leaving = new AbortController();
  const check = cases.check([number], leaving.signal).catch(() => 'left');
  await untilCalled(1);
  leaving.abort();
  expect(await check).toBe('left');
  await expect.poll(observed, { timeout: SLOW_MACHINE_MS }).toEqual([['observed', RECEIVED, 'monitor']]);
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

test('a user’s lookup of a case whose check got no turn in time waits on', async () => {
  await start({
    clock: systemClock,
    env: { AGENCY_CALLS_PER_SECOND: '1', AGENCY_TIMEOUT_MS: '5000', BUDGET_WAIT_MS: '30000' },
  });
  const [hanging = '', waiting = ''] = numbers(2);
  await cases.fault({ mode: 'timeout', receiptNumber: hanging });
  const first = cases.check([hanging]);
  await untilCalled(1);
  // A permit is free three seconds after a hanging call; a check waits for less.
  const check = cases.check([waiting]);
  await expect.poll(cases.waiting).toBe(1);
  const look = cases.found(waiting);
  expect(await check).toMatchObject([{ receiptNumber: waiting, outcome: 'no-budget' }]);
  expect(await look).toMatchObject({ receiptNumber: waiting });
  expect(await first).toMatchObject([{ receiptNumber: hanging, outcome: 'failed' }]);
  expect((await cases.calls(waiting)).total).toBe(1);
}, 60_000);

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
