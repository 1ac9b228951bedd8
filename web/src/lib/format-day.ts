import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';

/** The day of a moment (ISO 8601) as `Sep 5, 2023` in the reader's time zone; 'Invalid date' for anything else. */
export function formatDay(value: string): string {
  const date = parseISO(value);
  return isValid(date) ? format(date, 'MMM d, yyyy') : 'Invalid date';
}
