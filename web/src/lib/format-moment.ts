import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';

/** A moment (ISO 8601) as `Sep 5, 2023 2:28 PM` in the reader's time zone; 'Invalid date' for anything else. */
export function formatMoment(value: string): string {
  const date = parseISO(value);
  return isValid(date) ? format(date, 'MMM d, yyyy h:mm a') : 'Invalid date';
}

/** When a saved case was last checked: a moment, or 'Never'. */
export function formatLastChecked(value: string | null): string {
  return value === null || value === '' ? 'Never' : formatMoment(value);
}

/** The day of a moment (ISO 8601) as `Sep 5, 2023` in the reader's time zone; 'Invalid date' for anything else. */
export function formatDay(value: string): string {
  const date = parseISO(value);
  return isValid(date) ? format(date, 'MMM d, yyyy') : 'Invalid date';
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago a moment (ISO 8601) was: 'just now', '5 minutes ago', '1 hour ago', '3 days ago'; whole units, rounded down. */
export function formatAge(moment: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(moment);
  if (Number.isNaN(ageMs)) return 'at an unknown time';
  if (ageMs < MINUTE_MS) return 'just now';
  if (ageMs < HOUR_MS) return ago(ageMs / MINUTE_MS, 'minute');
  if (ageMs < DAY_MS) return ago(ageMs / HOUR_MS, 'hour');
  return ago(ageMs / DAY_MS, 'day');
}

function ago(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`;
}
