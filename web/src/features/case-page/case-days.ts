import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { format } from 'date-fns/format';
import { readAgencyDate } from '../../lib/format-agency-date.ts';
import { formatMoment } from '../../lib/format-moment.ts';

export interface DayCount {
  /** `12 days`, `Since today`, `At least 3 days`, or `Not known`. */
  text: string;
  /** The day it counts from; undefined where none is known. */
  since?: string;
}

/** How long a case has had its status: by the agency's date, else at least since we first saw it. */
export function daysInStatus(
  { histCaseData: [current], caseStatus }: CaseStatusResult,
  nowMs: number,
): DayCount {
  if (current?.caseStatus !== caseStatus) return UNKNOWN;
  const dated = readAgencyDate(current.statusHistDate);
  if (dated) return count(dated, nowMs);
  return current.firstObservedAt === null
    ? UNKNOWN
    : count(new Date(current.firstObservedAt), nowMs, 'At least ');
}

/** How long ago the agency received the case: its own date of receipt, else the oldest date of the history. */
export function daysSinceReceipt(
  { caseCreationDate, histCaseData }: CaseStatusResult,
  nowMs: number,
): DayCount {
  const received = readAgencyDate(caseCreationDate);
  if (received) return count(received, nowMs);
  const [oldest] = histCaseData
    .flatMap(({ statusHistDate }) => readAgencyDate(statusHistDate) ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime());
  return oldest ? count(oldest, nowMs, 'At least ') : UNKNOWN;
}

/** When the case was last checked and whether that brought anything new. */
export function checkWords(
  { observedAt, histCaseData: [current] }: CaseStatusResult,
  lastCheckedAt: string | null,
  nowMs: number,
): string {
  const checkedMs = Math.max(Date.parse(observedAt), Date.parse(lastCheckedAt ?? '') || 0);
  if (differenceInCalendarDays(nowMs, checkedMs) !== 0)
    return `Last checked ${formatMoment(new Date(checkedMs).toISOString())}`;
  const time = format(checkedMs, 'h:mm a');
  const seenAt = current?.firstObservedAt;
  const isNews = typeof seenAt === 'string' && differenceInCalendarDays(nowMs, Date.parse(seenAt)) === 0;
  return isNews ? `Checked today at ${time}` : `No change, checked today at ${time}`;
}

const UNKNOWN: DayCount = { text: 'Not known' };

function count(from: Date, nowMs: number, prefix = ''): DayCount {
  const days = Math.max(0, differenceInCalendarDays(nowMs, from));
  const since = format(from, 'MMM d, yyyy');
  if (days === 0) return { text: 'Less than a day', since };
  return { text: `${prefix}${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'}`, since };
}
