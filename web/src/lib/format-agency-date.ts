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
  const date = readAgencyDate(text);
  return date ? format(date, 'MMM d, yyyy') : text;
}

/** The calendar day that the agency wrote, in the reader's time zone; undefined for what can't be read. */
export function readAgencyDate(value: string | null): Date | undefined {
  const text = value?.trim() ?? '';
  return AGENCY_PATTERNS.map((pattern) => parse(text, pattern, new Date(0))).find(isValid);
}
