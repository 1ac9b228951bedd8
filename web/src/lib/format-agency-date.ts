import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parse } from 'date-fns/parse';

/** The ways the agency writes a date. */
const AGENCY_PATTERNS = ['MM-dd-yyyy HH:mm:ss', 'yyyy-MM-dd', 'yyyy-MM-dd HH:mm:ss'];

/**
 * A date of the agency as `Sep 5, 2023`. The agency names no time zone: the calendar day is the one it wrote.
 * What can't be read is shown as it came; null or an empty text becomes 'Not provided'.
 */
export function formatAgencyDate(value: string | null): string {
  const text = value?.trim() ?? '';
  if (text === '') return 'Not provided';
  for (const pattern of AGENCY_PATTERNS) {
    const date = parse(text, pattern, new Date(0));
    if (isValid(date)) return format(date, 'MMM d, yyyy');
  }
  return text;
}
