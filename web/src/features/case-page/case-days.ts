import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { isSameStatus } from '@casewatch/contracts/fold-status';
import { plural, t } from '@lingui/core/macro';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { readAgencyDate } from '../../lib/format-agency-date.ts';
import { formatCalendarDay, formatMoment, formatTime } from '../../lib/format-moment.ts';
import type { HistoryEntry } from '../lookup/case-history.tsx';

export interface DayCount {
  /** `12 days`, `Since today`, `At least 3 days`, or `Unknown`. */
  text: string;
  /** The day it counts from; undefined where none is known. */
  since?: string;
}

/** Returns how long a case has had its status: by the agency's date, else at least since we first saw it. */
export function daysInStatus(result: CaseStatusResult, nowMs: number): DayCount {
  const current = newestOf(result);
  if (!current || !isSameStatus(current.caseStatus, result.caseStatus)) return unknown();
  const dated = readAgencyDate(current.statusHistDate);
  if (dated) return exactly(dated, nowMs);
  return current.firstObservedAt === null ? unknown() : atLeast(new Date(current.firstObservedAt), nowMs);
}

/** Returns how long ago the agency received the case: its own date of receipt, else the oldest date of the history. */
export function daysSinceReceipt(
  { caseCreationDate, histCaseData }: CaseStatusResult,
  nowMs: number,
): DayCount {
  const received = readAgencyDate(caseCreationDate);
  if (received) return exactly(received, nowMs);
  const [oldest] = histCaseData
    .filter(({ withdrawnAt }) => withdrawnAt === undefined)
    .flatMap(({ statusHistDate }) => readAgencyDate(statusHistDate) ?? [])
    .sort((a, b) => a.getTime() - b.getTime());
  return oldest ? atLeast(oldest, nowMs) : unknown();
}

/** Returns when the case was last checked and whether that brought anything new. */
export function checkWords(result: CaseStatusResult, lastCheckedAt: string | null, nowMs: number): string {
  const checkedMs = Math.max(Date.parse(result.observedAt), Date.parse(lastCheckedAt ?? '') || 0);
  if (differenceInCalendarDays(nowMs, checkedMs) !== 0)
    return t`Last checked ${formatMoment(new Date(checkedMs).toISOString())}`;
  const time = formatTime(checkedMs);
  const seenAt = newestOf(result)?.firstObservedAt;
  const isChange = typeof seenAt === 'string' && differenceInCalendarDays(nowMs, Date.parse(seenAt)) === 0;
  return isChange ? t`Checked today at ${time}` : t`No change, checked today at ${time}`;
}

/** The newest step. One that the agency has withdrawn is none, unless it is the current status. */
function newestOf({ histCaseData, caseStatus }: CaseStatusResult): HistoryEntry | undefined {
  return histCaseData.find(
    (entry) => entry.withdrawnAt === undefined || isSameStatus(entry.caseStatus, caseStatus),
  );
}

const unknown = (): DayCount => ({ text: t`Unknown` });

function exactly(from: Date, nowMs: number): DayCount {
  return count(from, nowMs, (days) =>
    days === 0 ? t`Since today` : plural(days, { one: '# day', other: '# days' }),
  );
}

function atLeast(from: Date, nowMs: number): DayCount {
  return count(from, nowMs, (days) =>
    days === 0
      ? t`Since today or earlier`
      : plural(days, { one: 'At least # day', other: 'At least # days' }),
  );
}

function count(from: Date, nowMs: number, words: (days: number) => string): DayCount {
  const days = Math.max(0, differenceInCalendarDays(nowMs, from));
  return { text: words(days), ...(days > 0 ? { since: formatCalendarDay(from) } : {}) };
}
