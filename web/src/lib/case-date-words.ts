import type { CaseDateKind } from '@casewatch/contracts/case-date-kinds';
import type { CaseDate } from '@casewatch/contracts/case-dates';
import type { MessageDescriptor } from '@lingui/core';
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { formatDay } from './format-moment.ts';

/** What a date of a case is called where its day follows. */
export const DATE_KIND_NAMES: Readonly<Record<CaseDateKind, MessageDescriptor>> = {
  'respond-by': msg`Respond by`,
  biometrics: msg`Biometrics appointment`,
  interview: msg`Interview`,
  oath: msg`Oath ceremony`,
  hearing: msg`Hearing`,
  'file-by': msg`File by`,
  own: msg`Other date`,
};

/** Returns a date with what it is: `Respond by: Dec 24, 2026`. */
export function dateText(kind: CaseDateKind, day: string): string {
  return `${i18n._(DATE_KIND_NAMES[kind])}: ${formatDay(day)}`;
}

/** Returns the first open date, and whether its day is over here. */
export function nextDate(dates: readonly CaseDate[] | undefined) {
  const next = dates?.find(({ doneAt }) => doneAt === null);
  return next && { ...next, isPast: next.day < dayFromToday(0) };
}

/** Returns the day on this device that is so many days from today, as `2026-12-24`. */
export function dayFromToday(days: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + days))
    .toISOString()
    .slice(0, 10);
}
