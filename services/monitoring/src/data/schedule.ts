import { CHECK_TIMES, retrySeconds } from '../domain/check-times.ts';

/** The rules of `domain/check-times.ts` in SQL. */
export interface Schedule {
  /**
   * SQL for when a watch is due after a check: a period later, earlier by up to a twentieth that depends on the
   * receipt number alone. `checkedAt` and `periodDays` are SQL expressions, `of` the table with the receipt number.
   */
  nextCheck(checkedAt: string, columns?: { of?: string; periodDays?: string }): string;
  /** SQL for the next try after one more failure at `failedAt`. */
  nextTry(failedAt: string): string;
  /** The same after one more answer without a status; null once a try was due every hour for a day. */
  nextTryAfterDenial(deniedAt: string): string;
}

/** Creates the schedule; `periodScale` multiplies every period. */
export function createSchedule(periodScale: number): Schedule {
  const { daySeconds, spread, mostDoublings, denialsTried } = CHECK_TIMES;
  const day = seconds(daySeconds * periodScale);
  const { first, longest } = retrySeconds(periodScale);
  const after = (at: string, failures: string) =>
    `${at} + least(${first} * 2 ^ least(${failures}, ${mostDoublings}), ${longest}) * ${seconds(1)}`;
  return {
    nextCheck: (checkedAt, { of = 'watches', periodDays = `${of}.period_days` } = {}) =>
      `${checkedAt} + ${periodDays} * (1 - ${spread} * (hashtext(${of}.receipt_number) & 1023) / 1024.0) * ${day}`,
    nextTry: (failedAt) => after(failedAt, 'watches.attempts'),
    nextTryAfterDenial: (deniedAt) =>
      `CASE WHEN watches.denials < ${denialsTried} THEN ${after(deniedAt, 'watches.denials')} END`,
  };
}

function seconds(value: number): string {
  return `make_interval(secs => ${value})`;
}
