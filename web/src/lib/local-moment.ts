import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parse } from 'date-fns/parse';
import { parseISO } from 'date-fns/parseISO';

const PATTERN = "yyyy-MM-dd'T'HH:mm";

/** A moment (ISO 8601) as a `datetime-local` field shows it, in the reader's time zone; empty for anything else. */
export function toLocalField(moment: string | undefined): string {
  const date = parseISO(moment ?? '');
  return isValid(date) ? format(date, PATTERN) : '';
}

/** What a `datetime-local` field holds, as a moment in UTC (ISO 8601); undefined when it holds none. */
export function fromLocalField(text: string): string | undefined {
  const date = parse(text.slice(0, 16), PATTERN, new Date(0));
  return isValid(date) ? date.toISOString() : undefined;
}
