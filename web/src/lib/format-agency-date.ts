import { t } from '@lingui/core/macro';
import { formatCalendarDay } from './format-moment.ts';

/** The ways the agency writes a date, with or without a time of day: `09-05-2023 14:28:46`, `2023-09-05`. */
const TIME = '(?:[01]\\d|2[0-3])(?::[0-5]\\d){2}';
const AGENCY_PATTERNS = [
  new RegExp(`^(?<month>\\d{2})-(?<day>\\d{2})-(?<year>\\d{4}) ${TIME}$`),
  new RegExp(`^(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})(?: ${TIME})?$`),
];

/**
 * Returns a date of the agency as `Sep 5, 2023`. The agency names no time zone: the calendar day is the one it wrote.
 * What can't be read is shown as it came; null or an empty text becomes 'Not provided'.
 */
export function formatAgencyDate(value: string | null): string {
  const text = value?.trim() ?? '';
  if (text === '') return t`Not provided`;
  const date = readAgencyDate(text);
  return date ? formatCalendarDay(date) : text;
}

/**
 * Returns the calendar day that the agency wrote, in the reader's time zone; undefined for what can't be read. By hand: the
 * parser of date-fns weighs as much as all the forms of the first screen together.
 */
export function readAgencyDate(value: string | null): Date | undefined {
  const text = value?.trim() ?? '';
  const parts = AGENCY_PATTERNS.map((pattern) => pattern.exec(text)?.groups).find(Boolean);
  if (!parts) return undefined;
  const [year, month, day] = [Number(parts.year), Number(parts.month), Number(parts.day)];
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? date : undefined;
}
