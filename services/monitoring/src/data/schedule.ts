const DAY_SECONDS = 24 * 60 * 60;
/** Watches of one moment spread over this part of their period, and further with every period. */
const SPREAD = 0.05;
/** A case that nothing is expected to follow is checked this rarely at most, in days. */
const TERMINAL_DAYS = 30;
const FIRST_RETRY_SECONDS = 60;
const LONGEST_RETRY_SECONDS = 3_600;
/** However short the periods are made: a failing check is not tried in a tight loop. */
const LEAST_RETRY_SECONDS = 1;

export interface Schedule {
  /**
   * SQL for when a watch is due after a check: a period later, earlier by up to a twentieth that depends on the
   * receipt number alone. The arguments are SQL expressions.
   */
  nextCheck(checkedAt: string, columns?: { periodDays?: string; terminal?: string }): string;
  /** SQL for the next try after one more failure at `failedAt`. */
  nextTry(failedAt: string): string;
}

/** `periodScale` multiplies every period. */
export function createSchedule(periodScale: number): Schedule {
  const day = seconds(DAY_SECONDS * periodScale);
  const first = Math.max(LEAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * periodScale);
  const longest = Math.max(LEAST_RETRY_SECONDS * 10, LONGEST_RETRY_SECONDS * periodScale);
  return {
    nextCheck: (checkedAt, { periodDays = 'watches.period_days', terminal = 'watches.terminal' } = {}) =>
      `${checkedAt} + greatest(${periodDays}, CASE WHEN ${terminal} THEN ${TERMINAL_DAYS} ELSE 0 END)
         * (1 - ${SPREAD} * (hashtext(watches.receipt_number) & 1023) / 1024.0) * ${day}`,
    nextTry: (failedAt) =>
      `${failedAt} + least(${first} * 2 ^ least(watches.attempts, 30), ${longest}) * ${seconds(1)}`,
  };
}

function seconds(value: number): string {
  return `make_interval(secs => ${value})`;
}
