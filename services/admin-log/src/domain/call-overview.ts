import type { CallOverview } from '@casewatch/contracts/admin-log';
import { causeOf, isLookupOutcome } from '@casewatch/contracts/lookup-outcomes';

/** The number of calls of an hour with about this duration. */
export interface DurationCount {
  readonly hourMs: number;
  readonly durationMs: number;
  readonly calls: number;
}

export interface HourCount {
  readonly hourMs: number;
  readonly calls: number;
  readonly errors: number;
}

/** What came of the lookups of ten minutes. */
export interface OutcomeCount {
  readonly atMs: number;
  readonly outcome: string;
  readonly lookups: number;
  readonly agencyCalls: number;
}

/** What the overview needs of the kept counts. */
export interface CallCounts {
  hoursSince(sinceMs: number): Promise<HourCount[]>;
  durationsSince(sinceMs: number): Promise<DurationCount[]>;
  outcomesSince(sinceMs: number): Promise<OutcomeCount[]>;
  /** Calls of the agency. */
  callsSince(sinceMs: number): Promise<number>;
  /** Of two days (UTC) at most: the most frequent first, counted exactly, of those that are frequent in their day. */
  receiptsSince(sinceMs: number, limit: number): Promise<{ receiptNumber: string; lookups: number }[]>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 24;
const TOP_RECEIPTS = 5;

/**
 * Returns the lookups of the last 24 hours by the hour, the current one included, whose errors they were, how the agency
 * answered, what was looked up most, and the budget of the agency's day, which
 * begins at midnight GMT. Latencies are read from counts in steps of two significant digits (`durationStep`).
 */
export async function callOverview(
  counts: CallCounts,
  nowMs: number,
  callsPerDay: number,
): Promise<CallOverview> {
  const thisHourMs = nowMs - (nowMs % HOUR_MS);
  const fromMs = thisHourMs - (HOURS - 1) * HOUR_MS;
  const [hours, durations, outcomes, usedToday, topReceipts] = await Promise.all([
    counts.hoursSince(fromMs),
    counts.durationsSince(fromMs),
    counts.outcomesSince(fromMs),
    counts.callsSince(nowMs - (nowMs % DAY_MS)),
    counts.receiptsSince(fromMs, TOP_RECEIPTS),
  ]);
  const countsOf = new Map(hours.map((hour) => [hour.hourMs, hour]));
  const durationsOf = Map.groupBy(durations, ({ hourMs }) => hourMs);
  const outcomesOf = Map.groupBy(outcomes, ({ atMs }) => atMs - (atMs % HOUR_MS));
  const buckets = Array.from({ length: HOURS }, (_, nth) => {
    const atMs = fromMs + nth * HOUR_MS;
    const { calls = 0, errors = 0 } = countsOf.get(atMs) ?? {};
    return {
      at: new Date(atMs).toISOString(),
      calls,
      errors,
      causes: causesOf(outcomesOf.get(atMs) ?? []),
      ...latencies(durationsOf.get(atMs) ?? []),
    };
  });
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(nowMs).toISOString(),
    bucketMinutes: 60,
    buckets,
    health: healthOf(outcomes),
    topReceipts,
    totals: {
      calls: buckets.reduce((sum, { calls }) => sum + calls, 0),
      errors: buckets.reduce((sum, { errors }) => sum + errors, 0),
      causes: causesOf(outcomes),
      ...latencies(durations),
    },
    budget: { callsPerDay, usedToday },
  };
}

/** Returns a duration to two significant digits: few different ones, none off by more than 5 %. */
export function durationStep(durationMs: number): number {
  return Number(durationMs.toPrecision(2));
}

function causesOf(outcomes: readonly OutcomeCount[]): CallOverview['totals']['causes'] {
  const causes = { user: 0, agency: 0, us: 0 };
  for (const { outcome, lookups } of outcomes) {
    const cause = isLookupOutcome(outcome) ? causeOf(outcome) : null;
    if (cause !== null) causes[cause] += lookups;
  }
  return causes;
}

/** An answer about a case, also that it is not recognized, shows that the agency works. */
const HEALTHY = ['answered', 'not-recognized', 'refused'];

function healthOf(outcomes: readonly OutcomeCount[]): CallOverview['health'] {
  const times = Map.groupBy(outcomes, ({ atMs }) => atMs);
  return [...times]
    .sort(([a], [b]) => a - b)
    .map(([atMs, counts]) => {
      const sum = (pick: (count: OutcomeCount) => number) =>
        counts.reduce((total, one) => total + pick(one), 0);
      return {
        at: new Date(atMs).toISOString(),
        answered: sum(({ outcome, agencyCalls, lookups }) =>
          HEALTHY.includes(outcome) ? Math.min(agencyCalls, lookups) : 0,
        ),
        faults: sum(({ outcome, lookups }) => (outcome === 'fault' ? lookups : 0)),
        suspended: sum(({ outcome, lookups }) => (outcome === 'circuit-open' ? lookups : 0)),
      };
    })
    .filter(({ answered, faults, suspended }) => answered + faults + suspended > 0);
}

function latencies(durations: readonly DurationCount[]) {
  const sorted = [...durations].sort((a, b) => a.durationMs - b.durationMs);
  return { p50Ms: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95) };
}

/** The smallest duration that at least this share of the calls did not exceed. */
function quantile(sorted: readonly DurationCount[], share: number): number | null {
  const rank = share * sorted.reduce((sum, { calls }) => sum + calls, 0);
  let seen = 0;
  for (const { durationMs, calls } of sorted) {
    seen += calls;
    if (seen >= rank) return durationMs;
  }
  return null;
}
