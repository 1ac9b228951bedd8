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
