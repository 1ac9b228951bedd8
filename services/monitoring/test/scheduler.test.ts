import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkDueWatches } from '../src/domain/check-due-watches.ts';
import { DAY, HOUR, MINUTE, type Monitoring, receipt, startMonitoring, user } from './monitoring-fixture.ts';

const R = receipt(1);
const never = new AbortController().signal;

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

const pass = (limit = 100) => checkDueWatches(monitoring.checking, limit, never);
const watchAll = async (count: number) => {
  for (let n = 1; n <= count; n++) await monitoring.requestWatch(user(1), receipt(n), 'daily');
};

test('a watch with ten thousand watchers is checked once per period', async () => {
  await monitoring.database.query(
    `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days)
     SELECT gen_random_uuid(), $1, 1 FROM generate_series(1, 10000)`,
    [R],
  );
  await monitoring.requestWatch(user(1), R, 'daily');
  for (let hour = 0; hour < 72; hour++) {
    await pass();
    await monitoring.clock.advance(HOUR);
  }
  const { calls } = monitoring.cases;
  expect(calls.every(({ receiptNumbers }) => receiptNumbers.length === 1)).toBe(true);
  const gaps = calls.slice(1).map(({ atMs }, n) => (atMs - (calls[n]?.atMs ?? 0)) / HOUR);
  expect(gaps.length).toBeGreaterThanOrEqual(2);
  for (const gap of gaps) expect([23, 24]).toContain(gap);
});

test('the due watches of a pass are checked in one call', async () => {
  await watchAll(30);
  await pass();
  expect(monitoring.cases.calls).toHaveLength(1);
  expect(monitoring.cases.asked().sort()).toEqual(Array.from({ length: 30 }, (_, n) => receipt(n + 1)));
});

test.each([
  ['not-recognized', 'RECEIPT_NOT_RECOGNIZED'],
  ['refused', 'AGENCY_REFUSED'],
] as const)(
  '%s is an answer about a case that had no status: the next check is a period later',
  async (outcome, code) => {
    await monitoring.requestWatch(user(1), R, 'daily');
    monitoring.cases.answer(R, { outcome, code });
    await pass();
    const row = await monitoring.watch(R);
    expect(row).toMatchObject({ last_status: null, last_failure: code, owed_since: null, attempts: 0 });
    expect(row?.next_check_at.getTime()).toBeGreaterThan(monitoring.clock.nowMs() + 0.9 * DAY);
    expect(await monitoring.published()).toEqual([]);
  },
);

test('a failure of one watch leaves the others alone', async () => {
  await watchAll(3);
  monitoring.cases.answer(receipt(2), { outcome: 'failed', code: 'AGENCY_UNAVAILABLE' });
  expect(await pass()).toMatchObject({ claimed: 3, heldBack: 0 });
  const now = monitoring.clock.nowMs();
  const due = (await monitoring.watches()).map((row) => row.next_check_at.getTime() - now);
  expect(due[0]).toBeGreaterThan(0.9 * DAY);
  expect(due[1]).toBe(MINUTE);
  expect(due[2]).toBeGreaterThan(0.9 * DAY);
  monitoring.cases.answer(receipt(2), { outcome: 'observed' });
  await monitoring.clock.advance(MINUTE);
  await pass();
  expect(await monitoring.watch(receipt(2))).toMatchObject({
    attempts: 0,
    last_failure: null,
    owed_since: null,
  });
});

test('without budget a watch keeps its place, and the pass says how long to wait', async () => {
  await watchAll(2);
  const before = await monitoring.watches();
  monitoring.cases.answerAll({ outcome: 'no-budget', code: 'BUDGET_SPENT', retryAfterSeconds: 2.5 });
  expect(await pass()).toMatchObject({ claimed: 2, heldBack: 2, retryAfterMs: 2_500 });
  const after = await monitoring.watches();
  expect(after.map((row) => row.next_check_at)).toEqual(before.map((row) => row.next_check_at));
  expect(after).toMatchObject([
    { attempts: 0, owed_since: null },
    { attempts: 0, owed_since: null },
  ]);
});

test('while the agency is unavailable every watch keeps its place', async () => {
  await watchAll(2);
  monitoring.cases.answerAll({ outcome: 'failed', code: 'AGENCY_UNAVAILABLE', retryAfterSeconds: 30 });
  expect(await pass()).toMatchObject({ heldBack: 2, retryAfterMs: 30_000 });
  expect(await monitoring.watch(R)).toMatchObject({ attempts: 0, owed_since: null });
});

test('while cases is unavailable every watch keeps its place', async () => {
  await watchAll(2);
  const before = await monitoring.watches();
  monitoring.cases.setBroken(true);
  const report = await pass();
  expect(report).toMatchObject({ heldBack: 2 });
  expect(report.error).toBeDefined();
  const after = await monitoring.watches();
  expect(after.map((row) => row.next_check_at)).toEqual(before.map((row) => row.next_check_at));
});

test('an outage of an hour is made up for oldest first', async () => {
  for (let n = 1; n <= 60; n++) {
    await monitoring.requestWatch(user(1), receipt(61 - n), 'daily');
    monitoring.cases.answerAll({ outcome: 'failed', code: 'AGENCY_UNAVAILABLE', retryAfterSeconds: 60 });
    await pass(10);
    await monitoring.clock.advance(MINUTE);
  }
  monitoring.cases.answerAll(undefined);
  const seen = monitoring.cases.calls.length;
  for (let n = 0; n < 6; n++) await pass(10);
  const drained = monitoring.cases.calls.slice(seen).flatMap(({ receiptNumbers }) => receiptNumbers);
  expect(drained).toEqual(Array.from({ length: 60 }, (_, n) => receipt(60 - n)));
});

test('an observation that comes before the answer of its check is not undone by it', async () => {
  await monitoring.requestWatch(user(1), R, 'daily');
  const letGo = monitoring.cases.hold();
  const running = pass();
  await expect.poll(() => monitoring.cases.calls).toHaveLength(1);
  await monitoring.observe(R, 'Case Was Approved');
  const before = await monitoring.watch(R);
  letGo();
  await running;
  expect(await monitoring.watch(R)).toEqual(before);
});

test('a known case that the agency does not recognize is asked about again in a minute, not a period later', async () => {
  await monitoring.requestWatch(user(1), R, 'monthly');
  await monitoring.observe(R, 'Case Was Received');
  await monitoring.clock.advance(31 * DAY);
  monitoring.cases.answer(R, { outcome: 'not-recognized' });
  await pass();
  await monitoring.observe(R, undefined);
  const row = await monitoring.watch(R);
  expect(row).toMatchObject({ last_status: 'Case Was Received', last_failure: 'RECEIPT_NOT_RECOGNIZED' });
  expect(row?.next_check_at).toEqual(new Date(monitoring.clock.nowMs() + MINUTE));
  expect(await monitoring.listFor(user(1))).toMatchObject([
    { nextCheckAt: row?.next_check_at.toISOString(), late: { code: 'RECEIPT_NOT_RECOGNIZED' } },
  ]);
  expect(await monitoring.published()).toEqual([]);
});

test('a final status is checked as often as was chosen', async () => {
  await monitoring.requestWatch(user(1), R, 'daily');
  await monitoring.observe(R, 'Case Was Denied');
  const dueInMs = ((await monitoring.watch(R))?.next_check_at.getTime() ?? 0) - monitoring.clock.nowMs();
  expect(dueInMs).toBeLessThanOrEqual(DAY);
});

test('the scale of the periods makes a day short', async () => {
  const { database, clock } = monitoring;
  const fast = await startMonitoring({ database, clock, env: { MONITORING_PERIOD_SCALE: '0.0001' } });
  try {
    await fast.requestWatch(user(1), R, 'daily');
    await fast.observe(R, 'Case Was Received');
    const dueInMs = ((await fast.watch(R))?.next_check_at.getTime() ?? 0) - clock.nowMs();
    expect(dueInMs).toBeGreaterThan(8_200);
    expect(dueInMs).toBeLessThanOrEqual(8_640);
  } finally {
    await fast.stop();
  }
});
