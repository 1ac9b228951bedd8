import { expect, test } from 'vitest';
import { type CallCounts, callOverview, durationStep } from './call-overview.ts';

const NOW = Date.parse('2026-01-05T12:34:56Z');
const HOUR = Date.parse('2026-01-05T12:00:00Z');
const MINUTE = 60_000;

const overview = (counts: Partial<CallCounts>) =>
  callOverview(
    {
      hoursSince: async () => [],
      durationsSince: async () => [],
      outcomesSince: async () => [],
      callsSince: async () => 0,
      receiptsSince: async () => [],
      ...counts,
    },
    NOW,
    500,
  );

test('counts are asked for 24 hours, those of the budget since midnight GMT, and five receipt numbers', async () => {
  const asked: unknown[] = [];
  const note = async (what: unknown) => {
    asked.push(what);
    return [];
  };
  const since = Date.parse('2026-01-04T13:00:00Z');
  const { budget } = await overview({
    hoursSince: note,
    durationsSince: note,
    outcomesSince: note,
    callsSince: async (sinceMs) => asked.push(sinceMs),
    receiptsSince: (...limits) => note(limits),
  });
  expect(asked).toEqual([since, since, since, Date.parse('2026-01-05T00:00:00Z'), [since, 5]]);
  expect(budget).toEqual({ callsPerDay: 500, usedToday: 4 });
});

test.each<[string, [number, number][], number | null, number | null]>([
  ['no calls', [], null, null],
  ['one call', [[7, 1]], 7, 7],
  [
    'two calls: the half is the first',
    [
      [20, 1],
      [10, 1],
    ],
    10,
    20,
  ],
  [
    'twenty calls: all but one are within 95 %',
    [
      [10, 10],
      [20, 9],
      [30, 1],
    ],
    10,
    20,
  ],
  [
    'a hundred calls: six of them are beyond 95 %',
    [
      [10, 49],
      [20, 45],
      [30, 6],
    ],
    20,
    30,
  ],
])('latencies of %s', async (_what, counts, p50Ms, p95Ms) => {
  const durationsSince = async () =>
    counts.map(([durationMs, calls]) => ({ hourMs: HOUR, durationMs, calls }));
  const { totals, buckets } = await overview({ durationsSince });
  expect(totals).toMatchObject({ p50Ms, p95Ms });
  expect(buckets.at(-1)).toMatchObject({ p50Ms, p95Ms });
  expect(buckets.at(-2)).toMatchObject({ p50Ms: null, p95Ms: null });
});

test('health is by ten minutes in the order of time, and only of those in which the agency was asked', async () => {
  const outcome = (minutes: number, name: string, lookups: number, agencyCalls: number) => ({
    atMs: HOUR + minutes * MINUTE,
    outcome: name,
    lookups,
    agencyCalls,
  });
  const { health, totals } = await overview({
    outcomesSince: async () => [
      outcome(20, 'fault', 2, 5),
      outcome(10, 'answered', 3, 7),
      outcome(10, 'not-recognized', 4, 2),
      outcome(10, 'refused', 1, 1),
      outcome(10, 'quota', 6, 0),
      outcome(0, 'answered', 5, 0),
      outcome(0, 'unheard-of', 5, 5),
      outcome(-10, 'circuit-open', 8, 0),
    ],
  });
  const at = (minutes: number) => new Date(HOUR + minutes * MINUTE).toISOString();
  expect(health).toEqual([
    { at: at(-10), answered: 0, faults: 0, suspended: 8 },
    { at: at(10), answered: 6, faults: 0, suspended: 0 },
    { at: at(20), answered: 0, faults: 2, suspended: 0 },
  ]);
  expect(totals.causes).toEqual({ user: 5, agency: 10, us: 6 });
});

test('a duration has two significant digits', () => {
  expect([0, 7, 99, 104, 105, 1_249, 98_765].map(durationStep)).toEqual([0, 7, 99, 100, 110, 1_200, 99_000]);
});
