import type { ApiLog } from '@casewatch/contracts/admin-log';
import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';

/** Who caused a call: the product's own checks, or a person. */
export function sourceWords(source: string): string {
  return source === 'monitor' ? 'Backend Service' : 'Website';
}

export function resultWords({ success }: Pick<ApiLog, 'success'>): string {
  return success ? 'Success' : 'Failed';
}

/** A moment (ISO 8601) to the second, in the reader's time zone: `Sep 5, 2023 2:28:09 PM`. */
export function exactMoment(value: string): string {
  const date = parseISO(value);
  return isValid(date) ? format(date, 'MMM d, yyyy h:mm:ss a') : 'Invalid date';
}

/** A payload for reading: JSON set out in lines, anything else as it is; null when there is none. */
export function payloadText(payload: unknown): string | null {
  if (payload === null || payload === undefined || payload === '') return null;
  if (typeof payload !== 'string') return JSON.stringify(payload, null, 2);
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
