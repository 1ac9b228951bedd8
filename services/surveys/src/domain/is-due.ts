import type { Survey } from '@casewatch/contracts/surveys';

/** When a person was last shown a survey. */
export interface Shown {
  atMs: number;
  /** Their sign-ins until then. */
  loginCount: number;
}

const DAY_MS = 24 * 60 * 60_000;
const PERIOD_MS = { weekly: 7 * DAY_MS, monthly: 30 * DAY_MS };

/** Whether people may answer it: active, and within its dates. */
export function isOpen({ isActive, startDate, endDate }: Survey, nowMs: number): boolean {
  if (!isActive) return false;
  if (startDate !== null && nowMs < Date.parse(startDate)) return false;
  return endDate === null || nowMs < endOf(endDate);
}

/**
 * Returns whether to show the survey to a user that has not answered it. By login count: `loginTrigger` sign-ins after it was
 * last shown, or after the account began. Weekly and monthly: 7 and 30 days after it was last shown.
 */
export function isDue(survey: Survey, shown: Shown | undefined, loginCount: number, nowMs: number): boolean {
  if (!isOpen(survey, nowMs)) return false;
  if (survey.frequency === 'daily') return loginCount - (shown?.loginCount ?? 0) >= survey.loginTrigger;
  return shown === undefined || nowMs - shown.atMs >= PERIOD_MS[survey.frequency];
}

/** An end that is a day (its first moment, UTC) includes that day. */
function endOf(endDate: string): number {
  const endMs = Date.parse(endDate);
  return endMs % DAY_MS === 0 ? endMs + DAY_MS : endMs;
}
