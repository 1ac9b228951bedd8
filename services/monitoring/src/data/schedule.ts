import { CHECK_TIMES, retrySeconds } from '../domain/check-times.ts';

/** The rules of `domain/check-times.ts` in SQL. */
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
  const { daySeconds, spread, terminalDays, mostDoublings } = CHECK_TIMES;
  const day = seconds(daySeconds * periodScale);
  const { first, longest } = retrySeconds(periodScale);
  return {
    nextCheck: (checkedAt, { periodDays = 'watches.period_days', terminal = 'watches.terminal' } = {}) =>
      `${checkedAt} + greatest(${periodDays}, CASE WHEN ${terminal} THEN ${terminalDays} ELSE 0 END)
         * (1 - ${spread} * (hashtext(watches.receipt_number) & 1023) / 1024.0) * ${day}`,
    nextTry: (failedAt) =>
      `${failedAt} + least(${first} * 2 ^ least(watches.attempts, ${mostDoublings}), ${longest}) * ${seconds(1)}`,
  };
}

function seconds(value: number): string {
  return `make_interval(secs => ${value})`;
}
