import type { CallOverview } from '@casewatch/contracts/admin-log';

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

/** What the overview needs of the kept counts. */
export interface CallCounts {
  hoursSince(sinceMs: number): Promise<HourCount[]>;
  durationsSince(sinceMs: number): Promise<DurationCount[]>;
  callsSince(sinceMs: number): Promise<number>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 24;

/**
 * The calls of the last 24 hours by the hour, the current one included, and the budget of the agency's day, which
 * begins at midnight GMT. Latencies are read from counts in steps of two significant digits (`durationStep`).
 */
export async function callOverview(
  counts: CallCounts,
  nowMs: number,
  callsPerDay: number,
): Promise<CallOverview> {
  const thisHourMs = nowMs - (nowMs % HOUR_MS);
  const fromMs = thisHourMs - (HOURS - 1) * HOUR_MS;
  const [hours, durations, usedToday] = await Promise.all([
    counts.hoursSince(fromMs),
    counts.durationsSince(fromMs),
    counts.callsSince(nowMs - (nowMs % DAY_MS)),
  ]);
  const countsOf = new Map(hours.map((hour) => [hour.hourMs, hour]));
  const durationsOf = Map.groupBy(durations, ({ hourMs }) => hourMs);
  const buckets = Array.from({ length: HOURS }, (_, nth) => {
    const atMs = fromMs + nth * HOUR_MS;
    const { calls = 0, errors = 0 } = countsOf.get(atMs) ?? {};
    return { at: new Date(atMs).toISOString(), calls, errors, ...latencies(durationsOf.get(atMs) ?? []) };
  });
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(nowMs).toISOString(),
    bucketMinutes: 60,
    buckets,
    totals: {
      calls: buckets.reduce((sum, { calls }) => sum + calls, 0),
      errors: buckets.reduce((sum, { errors }) => sum + errors, 0),
      ...latencies(durations),
    },
    budget: { callsPerDay, usedToday },
  };
}

/** A duration to two significant digits: few different ones, none off by more than 5 %. */
export function durationStep(durationMs: number): number {
  return Number(durationMs.toPrecision(2));
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
