import { plural, t } from '@lingui/core/macro';
import { formatLocale, languageShown } from './format-number.ts';
import { byServerClock } from './server-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const MONTH_AND_DAY = { month: 'short', day: 'numeric' } as const;
const DAY_AND_TIME = { month: 'short', day: 'numeric', ...TIME } as const;
const MOMENT = { ...DAY, ...TIME } as const;

/** Returns a moment (ISO 8601) as `Sep 5, 2023 2:28 PM` in the reader's time zone; 'Invalid date' for anything else. */
export function formatMoment(value: string): string {
  return written(momentOf(value), MOMENT);
}

/** Returns the same with its second: `Sep 5, 2023 2:28:46 PM`. */
export function formatSecond(value: string): string {
  return written(momentOf(value), { ...MOMENT, second: '2-digit' });
}

/** Returns when a saved case was last checked: a moment, or 'Never'. */
export function formatLastChecked(value: string | null): string {
  return value === null || value === '' ? t`Never` : formatMoment(value);
}

/** Returns the day of a moment (ISO 8601) as `Sep 5, 2023` in the reader's time zone; 'Invalid date' for anything else. */
export function formatDay(value: string): string {
  return written(momentOf(value), DAY);
}

/** Returns the day of a moment of these months (ISO 8601) as `Sep 5` in the reader's time zone; 'Invalid date' for anything else. */
export function formatMonthDay(value: string): string {
  return written(momentOf(value), MONTH_AND_DAY);
}

/** Returns the calendar day of a date as `Sep 5, 2023`. */
export function formatCalendarDay(date: Date): string {
  return written(date, DAY);
}

/** Returns the time of day of a moment as `2:28 PM`. */
export function formatTime(atMs: number): string {
  return written(new Date(atMs), TIME);
}

/** Returns a moment of this year (ISO 8601) as `Sep 5, 2:28 PM` in the reader's time zone; 'Invalid date' for anything else. */
export function formatDayAndTime(value: string): string {
  return written(momentOf(value), DAY_AND_TIME);
}

/** Returns a recent moment of this device's clock in short: `2:28 PM`; from half a day ago with its day: `Sep 5, 2:28 PM`. */
export function formatShortMoment(atMs: number): string {
  const isRecent = Date.now() - atMs < DAY_MS / 2;
  return written(new Date(byServerClock(atMs)), isRecent ? TIME : DAY_AND_TIME);
}

/** Returns how long ago a moment (ISO 8601) was: 'just now', '5 minutes ago', '1 hour ago', '3 days ago'; whole units, rounded down. */
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

/** By `Intl` alone: the library for dates would be a twentieth of the app's first load. */
function written(date: Date, parts: Intl.DateTimeFormatOptions): string {
  if (Number.isNaN(date.getTime())) return t`Invalid date`;
  const text = formatOf(formatLocale(), parts).format(date).replaceAll('\u202f', ' ');
  return languageShown() === 'en' ? text.replace(/(\d{4}), /, '$1 ') : text;
}

/** A format costs more to make than to use. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${Object.keys(parts).join()}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, parts);
  formats.set(key, known);
  return known;
}

/** An invalid date for anything but ISO 8601; a day without a time is the reader's own day. */
function momentOf(value: string): Date {
  if (!/^\d{4}-\d\d-\d\d/.test(value)) return new Date(Number.NaN);
  return new Date(value.length === 10 ? `${value}T00:00` : value);
}
