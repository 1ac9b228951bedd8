import type { CallOverview } from '@casewatch/contracts/admin-log';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AdminLogFixture, startAdminLog } from './admin-log-fixture.ts';

let log: AdminLogFixture;
beforeEach(async () => {
  log = await startAdminLog({ env: { AGENCY_CALLS_PER_DAY: '500' } });
});
afterEach(() => log.stop());

const overview = async () => (await log.get('/api/admin/logs/overview')).json() as Promise<CallOverview>;

test('the last 24 hours by the hour, with errors, latencies and the budget used since midnight GMT', async () => {
  const calls = [
    ['2026-01-04T12:59:59.000Z', 10, true], // an hour too early
    ['2026-01-04T13:00:00.000Z', 10, true],
    ['2026-01-04T23:59:58.000Z', 50, false],
    ['2026-01-05T11:00:00.000Z', 100, true],
    ['2026-01-05T11:10:00.000Z', 200, true],
    ['2026-01-05T11:20:00.000Z', 1_234, false],
    ['2026-01-05T12:00:00.000Z', 0, true],
  ] as const;
  for (const [endedAt, durationMs, success] of calls) {
    await log.lookedUp({ endedAt, durationMs, agencyMs: durationMs, statusCode: success ? 200 : 503 });
  }
  const { from, to, bucketMinutes, buckets, totals, budget } = await overview();
  expect([from, to, bucketMinutes]).toEqual(['2026-01-04T13:00:00.000Z', '2026-01-05T12:00:00.000Z', 60]);
  expect(buckets).toHaveLength(24);
  const filled = buckets.filter(({ calls }) => calls > 0);
  expect(filled).toEqual([
    {
      at: '2026-01-04T13:00:00.000Z',
      calls: 1,
      errors: 0,
      causes: { user: 0, agency: 0, us: 0 },
      p50Ms: 10,
      p95Ms: 10,
    },
    {
      at: '2026-01-04T23:00:00.000Z',
      calls: 1,
      errors: 1,
      causes: { user: 0, agency: 1, us: 0 },
      p50Ms: 50,
      p95Ms: 50,
    },
    {
      at: '2026-01-05T11:00:00.000Z',
      calls: 3,
      errors: 1,
      causes: { user: 0, agency: 1, us: 0 },
      p50Ms: 200,
      p95Ms: 1_200,
    },
    {
      at: '2026-01-05T12:00:00.000Z',
      calls: 1,
      errors: 0,
      causes: { user: 0, agency: 0, us: 0 },
      p50Ms: 0,
      p95Ms: 0,
    },
  ]);
  expect(totals).toEqual({
    calls: 6,
    errors: 2,
    causes: { user: 0, agency: 2, us: 0 },
    p50Ms: 50,
    p95Ms: 1_200,
  });
  expect(budget).toEqual({ callsPerDay: 500, usedToday: 4 });
});

test('a new day of the agency begins with an unused budget', async () => {
  await log.lookedUp();
  expect((await overview()).budget.usedToday).toBe(1);
  await log.clock.advance(12 * 3_600_000 - 1);
  expect((await overview()).budget.usedToday).toBe(1);
  await log.clock.advance(1);
  const { budget, totals } = await overview();
  expect([budget.usedToday, totals.calls]).toEqual([0, 1]);
});

test('errors are distinguished by their cause, and the agency’s health and the most frequent receipt numbers are shown', async () => {
  const facts = [
    ['2026-01-05T11:00:00.000Z', 'answered', 1],
    ['2026-01-05T11:05:00.000Z', 'not-recognized', 1],
    ['2026-01-05T11:05:00.000Z', 'not-recognized', 0],
    ['2026-01-05T11:12:00.000Z', 'fault', 2],
    ['2026-01-05T11:13:00.000Z', 'circuit-open', 0],
    ['2026-01-05T11:14:00.000Z', 'circuit-open', 0],
    ['2026-01-05T11:15:00.000Z', 'quota', 0],
    ['2026-01-05T11:16:00.000Z', 'canceled', 0],
    ['2026-01-05T11:30:00.000Z', 'stored', 0],
  ] as const;
  for (const [nth, [endedAt, outcome, agencyCalls]] of facts.entries()) {
    const receiptNumber = nth < 4 ? 'EAC0000000001' : nth < 7 ? 'EAC0000000002' : 'EAC0000000003';
    const calls = Array(agencyCalls).fill({ durationMs: 0, response: '' });
    await log.lookedUp({ endedAt, outcome, calls, receiptNumber });
  }
  const { totals, health, topReceipts, budget } = await overview();
  expect(totals).toMatchObject({ calls: 9, errors: 7, causes: { user: 2, agency: 3, us: 1 } });
  expect(health).toEqual([
    { at: '2026-01-05T11:00:00.000Z', answered: 2, faults: 0, suspended: 0 },
    { at: '2026-01-05T11:10:00.000Z', answered: 0, faults: 1, suspended: 2 },
  ]);
  expect(topReceipts).toEqual([
    { receiptNumber: 'EAC0000000001', lookups: 4 },
    { receiptNumber: 'EAC0000000002', lookups: 3 },
    { receiptNumber: 'EAC0000000003', lookups: 2 },
  ]);
  expect(budget.usedToday).toBe(4);
});

test('the most frequent receipt numbers are counted for the 24 hours alone, on both sides of midnight', async () => {
  const lookups = [
    ['2026-01-04T12:00:00.000Z', 'EAC0000000001', 3], // an hour too early
    ['2026-01-04T13:00:00.000Z', 'EAC0000000001', 1],
    ['2026-01-04T23:59:59.000Z', 'EAC0000000002', 2],
    ['2026-01-05T00:00:00.000Z', 'EAC0000000002', 1],
    ['2026-01-05T11:00:00.000Z', 'EAC0000000003', 2],
  ] as const;
  for (const [endedAt, receiptNumber, times] of lookups)
    for (let n = 0; n < times; n++) await log.lookedUp({ endedAt, receiptNumber, origin: 'single' });
  expect((await overview()).topReceipts).toEqual([
    { receiptNumber: 'EAC0000000002', lookups: 3 },
    { receiptNumber: 'EAC0000000003', lookups: 2 },
    { receiptNumber: 'EAC0000000001', lookups: 1 },
  ]);
});

test('a check of a schedule that succeeds makes no receipt number frequent, and counts for those that are', async () => {
  const check = { source: 'monitor', origin: 'scheduled' } as const;
  const user = { source: 'user', origin: 'single' } as const;
  const lookups = [
    { receiptNumber: 'EAC0000000001', ...user },
    { receiptNumber: 'EAC0000000001', ...check },
    { receiptNumber: 'EAC0000000002', ...check },
    { receiptNumber: 'EAC0000000003', ...check, success: false, outcome: 'fault', statusCode: 503 },
  ];
  for (const lookup of lookups) await log.lookedUp({ endedAt: '2026-01-05T11:00:00.000Z', ...lookup });
  expect((await overview()).topReceipts).toEqual([
    { receiptNumber: 'EAC0000000001', lookups: 2 },
    { receiptNumber: 'EAC0000000003', lookups: 1 },
  ]);
});

test('the last 24 hours and the agency’s day are those of the database’s time, whatever the clock of the process says', async () => {
  await log.stop();
  log = await startAdminLog({ aheadMs: 2 * 86_400_000 });
  await log.lookedUp({ endedAt: '2026-01-05T11:00:00.000Z' });
  expect(await overview()).toMatchObject({
    to: '2026-01-05T12:00:00.000Z',
    totals: { calls: 1 },
    budget: { usedToday: 1 },
  });
});

test('the most frequent receipt number is found among many others', async () => {
  const frequent = { receiptNumber: 'EAC0000000007', origin: 'single' };
  await log.lookedUp({ endedAt: '2026-01-05T11:00:00.000Z', ...frequent });
  await log.lookupsRecorded(
    Array.from({ length: 297 }, (_, nth) => ({
      endedAt: '2026-01-05T11:00:00.000Z',
      origin: 'single',
      receiptNumber: `LIN0000000${String(nth).padStart(3, '0')}`,
    })),
  );
  await log.lookedUp({ endedAt: '2026-01-05T11:30:00.000Z', ...frequent });
  const [first, ...others] = (await overview()).topReceipts;
  expect(first).toEqual({ receiptNumber: 'EAC0000000007', lookups: 2 });
  const receiptNumbers = others.map(({ receiptNumber }) => receiptNumber);
  expect(receiptNumbers).toHaveLength(4);
  expect(receiptNumbers).toEqual(receiptNumbers.toSorted());
});

test('latencies are those of the agency, without waiting in the queue and without lookups that asked nothing', async () => {
  await log.lookedUp({ durationMs: 5_000, agencyMs: 100, queueMs: 4_900 });
  await log.lookedUp({ durationMs: 9_000, calls: [], outcome: 'stored' });
  expect((await overview()).totals).toMatchObject({ calls: 2, p50Ms: 100, p95Ms: 100 });
});
