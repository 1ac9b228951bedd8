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
  for (const [calledAt, durationMs, success] of calls) {
    await log.agencyCalled({ calledAt, durationMs, success, statusCode: success ? 200 : 503 });
  }
  const { from, to, bucketMinutes, buckets, totals, budget } = await overview();
  expect([from, to, bucketMinutes]).toEqual(['2026-01-04T13:00:00.000Z', '2026-01-05T12:00:00.000Z', 60]);
  expect(buckets).toHaveLength(24);
  const filled = buckets.filter(({ calls }) => calls > 0);
  expect(filled).toEqual([
    { at: '2026-01-04T13:00:00.000Z', calls: 1, errors: 0, p50Ms: 10, p95Ms: 10 },
    { at: '2026-01-04T23:00:00.000Z', calls: 1, errors: 1, p50Ms: 50, p95Ms: 50 },
    { at: '2026-01-05T11:00:00.000Z', calls: 3, errors: 1, p50Ms: 200, p95Ms: 1_200 },
    { at: '2026-01-05T12:00:00.000Z', calls: 1, errors: 0, p50Ms: 0, p95Ms: 0 },
  ]);
  expect(totals).toEqual({ calls: 6, errors: 2, p50Ms: 50, p95Ms: 1_200 });
  expect(budget).toEqual({ callsPerDay: 500, usedToday: 4 });
});

test('hours without calls are there, without latencies', async () => {
  const { buckets, totals, budget } = await overview();
  expect(buckets).toHaveLength(24);
  expect(buckets[0]).toEqual({
    at: '2026-01-04T13:00:00.000Z',
    calls: 0,
    errors: 0,
    p50Ms: null,
    p95Ms: null,
  });
  expect(totals).toEqual({ calls: 0, errors: 0, p50Ms: null, p95Ms: null });
  expect(budget.usedToday).toBe(0);
});

test('hours are whole ones, also in the middle of an hour', async () => {
  await log.clock.advance(30 * 60_000);
  await log.agencyCalled({ calledAt: '2026-01-05T12:20:00.000Z' });
  const { from, to, buckets } = await overview();
  expect([from, to]).toEqual(['2026-01-04T13:00:00.000Z', '2026-01-05T12:30:00.000Z']);
  expect(buckets.at(-1)).toMatchObject({ at: '2026-01-05T12:00:00.000Z', calls: 1 });
});

test('a new day of the agency begins with an unused budget', async () => {
  await log.agencyCalled();
  expect((await overview()).budget.usedToday).toBe(1);
  await log.clock.advance(12 * 3_600_000 - 1);
  expect((await overview()).budget.usedToday).toBe(1);
  await log.clock.advance(1);
  const { budget, totals } = await overview();
  expect([budget.usedToday, totals.calls]).toEqual([0, 1]);
});
