import { MONITORING_FREQUENCIES, type MonitoringFrequency } from '@casewatch/contracts/limits';

/** When watches are checked: the rules that `data/schedule.ts` states in SQL and simulations apply in memory. */
export const CHECK_TIMES = {
  daySeconds: 24 * 60 * 60,
  /** Watches of one moment spread over this part of their period, and further with every period. */
  spread: 0.05,
  firstRetrySeconds: 60,
  longestRetrySeconds: 3_600,
  /** However short the periods are made: a failing check is not tried in a tight loop. */
  leastRetrySeconds: 1,
  /** Beyond it, one more failure does not double the delay. */
  mostDoublings: 30,
  /** Tries of a known case that the agency denies, before it waits for its period: those that double, and then a day's of one an hour. */
  denialsTried: 30,
} as const;

/** Returns the first and the longest delay before another try, with every period multiplied by `periodScale`. */
export function retrySeconds(periodScale: number): { first: number; longest: number } {
  const { firstRetrySeconds, longestRetrySeconds, leastRetrySeconds } = CHECK_TIMES;
  return {
    first: Math.max(leastRetrySeconds, firstRetrySeconds * periodScale),
    longest: Math.max(leastRetrySeconds * 10, longestRetrySeconds * periodScale),
  };
}

/**
 * Returns when a watch is due after a check: a period later, earlier by up to a twentieth. `spot` (0 to 1) says by how much;
 * it depends on the receipt number alone.
 */
export function nextCheckMs(
  checkedAtMs: number,
  { periodDays, spot }: { periodDays: number; spot: number },
  periodScale = 1,
): number {
  return (
    checkedAtMs + periodDays * (1 - CHECK_TIMES.spread * spot) * CHECK_TIMES.daySeconds * periodScale * 1_000
  );
}

/** Returns when a watch is tried again after `attempts` failures in a row and one more at `failedAtMs`. */
export function nextTryMs(failedAtMs: number, attempts: number, periodScale = 1): number {
  const { first, longest } = retrySeconds(periodScale);
  return failedAtMs + Math.min(first * 2 ** Math.min(attempts, CHECK_TIMES.mostDoublings), longest) * 1_000;
}

/** Returns how many of a claim are watches that were put off: half at most, so that those that always fail can't take every turn. */
export const mostPutOff = (limit: number): number => Math.max(1, Math.floor(limit / 2));

/** How much of a claim, on average, are cases that the agency denies: however many they are, the rest has nine tenths. */
export const DENIED_SHARE = 0.1;

const DAYS: Record<MonitoringFrequency, number | null> = { none: null, daily: 1, weekly: 7, monthly: 30 };

/**
 * Returns the days between two checks; null for none.
 * @throws Error when there is no such frequency
 */
export function periodDaysOf(frequency: string): number | null {
  const known = MONITORING_FREQUENCIES.find((one) => one === frequency);
  if (!known) throw new Error(`no watch is ${frequency}`);
  return DAYS[known];
}

export function frequencyOf(periodDays: number | null): MonitoringFrequency {
  const frequency = MONITORING_FREQUENCIES.find((known) => DAYS[known] === periodDays);
  if (!frequency) throw new Error(`no frequency has a period of ${periodDays} days`);
  return frequency;
}
