import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';
import { formatLocale } from './format-number.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** English is written as the product's texts specify it, every other language as the browser knows it. */
type Pattern = readonly [english: string, others: Intl.DateTimeFormatOptions];
const MOMENT: Pattern = ['MMM d, yyyy h:mm a', { dateStyle: 'medium', timeStyle: 'short' }];
const DAY: Pattern = ['MMM d, yyyy', { dateStyle: 'medium' }];
const TIME: Pattern = ['h:mm a', { timeStyle: 'short' }];
const DAY_AND_TIME: Pattern = [
  'MMM d, h:mm a',
  { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
];

/** A moment (ISO 8601) as `Sep 5, 2023 2:28 PM` in the reader's time zone; 'Invalid date' for anything else. */
export function formatMoment(value: string): string {
  return written(parseISO(value), MOMENT);
}

/** When a saved case was last checked: a moment, or 'Never'. */
export function formatLastChecked(value: string | null): string {
  return value === null || value === '' ? t`Never` : formatMoment(value);
}

/** The day of a moment (ISO 8601) as `Sep 5, 2023` in the reader's time zone; 'Invalid date' for anything else. */
export function formatDay(value: string): string {
  return written(parseISO(value), DAY);
}

/** The calendar day of a date as `Sep 5, 2023`. */
export function formatCalendarDay(date: Date): string {
  return written(date, DAY);
}

/** The time of day of a moment as `2:28 PM`. */
export function formatTime(atMs: number): string {
  return written(new Date(atMs), TIME);
}

/** A moment of this year (ISO 8601) as `Sep 5, 2:28 PM` in the reader's time zone; 'Invalid date' for anything else. */
export function formatDayAndTime(value: string): string {
  return written(parseISO(value), DAY_AND_TIME);
}

/** A recent moment in short: `2:28 PM`; from half a day ago with its day: `Sep 5, 2:28 PM`. */
export function formatShortMoment(atMs: number): string {
  return written(new Date(atMs), Date.now() - atMs < DAY_MS / 2 ? TIME : DAY_AND_TIME);
}

/** How long ago a moment (ISO 8601) was: 'just now', '5 minutes ago', '1 hour ago', '3 days ago'; whole units, rounded down. */
export function formatAge(moment: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(moment);
  if (Number.isNaN(ageMs)) return t`at an unknown time`;
  if (ageMs < MINUTE_MS) return t`just now`;
  if (ageMs < HOUR_MS)
    return plural(whole(ageMs / MINUTE_MS), { one: '# minute ago', other: '# minutes ago' });
  if (ageMs < DAY_MS) return plural(whole(ageMs / HOUR_MS), { one: '# hour ago', other: '# hours ago' });
  return plural(whole(ageMs / DAY_MS), { one: '# day ago', other: '# days ago' });
}

const whole = Math.floor;

function written(date: Date, [english, others]: Pattern): string {
  if (!isValid(date)) return t`Invalid date`;
  return i18n.locale === 'en' ? format(date, english) : date.toLocaleString(formatLocale(), others);
}
