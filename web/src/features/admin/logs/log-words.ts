import type { ApiLog } from '@casewatch/contracts/admin-log';
import type { LookupCause, LookupOutcome } from '@casewatch/contracts/lookup-outcomes';
import type { IconName } from '../../../components/icon.tsx';
import { formatSecond, formatTime } from '../../../lib/format-moment.ts';
import { grouped } from '../shared/admin-words.tsx';

/** Returns who caused a call: the product's own checks, or a person. */
export function sourceWords(source: string): string {
  return source === 'monitor' ? 'Backend Service' : 'Website';
}

export function resultWords({ success }: Pick<ApiLog, 'success'>): string {
  return success ? 'Success' : 'Failed';
}

export const OUTCOME_WORDS: Readonly<Record<LookupOutcome, string>> = {
  answered: 'Answered by the agency',
  stored: 'From the store',
  shared: 'Shared another lookup’s answer',
  'not-recognized': 'Not recognized',
  refused: 'Refused by the agency',
  quota: 'Refused: call quota',
  'circuit-open': 'Calls suspended',
  fault: 'Agency error',
  canceled: 'Canceled',
  error: 'Casewatch error',
};

export const OUTCOME_ICONS: Readonly<Record<LookupOutcome, IconName>> = {
  answered: 'check',
  stored: 'history',
  shared: 'share',
  'not-recognized': 'search',
  refused: 'minus',
  quota: 'clock',
  'circuit-open': 'zap',
  fault: 'alert-triangle',
  canceled: 'x',
  error: 'x-circle',
};

export const CAUSE_WORDS: Readonly<Record<LookupCause, string>> = {
  user: 'User (not recognized, refused)',
  agency: 'Agency',
  us: 'Casewatch',
};

export const ORIGIN_WORDS: Readonly<Record<NonNullable<ApiLog['origin']>, string>> = {
  single: 'Single search',
  bulk: 'Bulk search',
  'check-now': 'Check now',
  scheduled: 'Scheduled check',
  demonstration: 'Demonstration',
};

/** Returns what stands for the HTTP status where there is none. */
export function statusWords({ statusCode, agencyCalls }: Pick<ApiLog, 'statusCode' | 'agencyCalls'>): string {
  if (statusCode !== null) return String(statusCode);
  return agencyCalls === 0 ? 'No call' : 'No answer';
}

/** Returns a moment (ISO 8601) to the second, in the reader's time zone: `Sep 5, 2023 2:28:09 PM`. */
export function exactMoment(value: string): string {
  return formatSecond(value);
}

/** Returns a payload for reading: JSON set out in lines, anything else as it is; null when there is none. */
export function payloadText(payload: unknown): string | null {
  if (payload === null || payload === undefined || payload === '') return null;
  if (typeof payload !== 'string') return JSON.stringify(payload, null, 2);
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}

/** Returns the time of day at which an hour of the chart begins: `2:00 PM`; empty when there is none. */
export function hourOf(moment: string | undefined): string {
  const atMs = Date.parse(moment ?? '');
  return Number.isNaN(atMs) ? '' : formatTime(atMs);
}

export function milliseconds(value: number | null): string {
  return value === null ? '-' : `${grouped(value)} ms`;
}

/** Returns a part of a whole: `12.5%`; `0%` of nothing. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return '0%';
  return `${Math.round((part / whole) * 1000) / 10}%`;
}
