import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { isSameStatus } from '@casewatch/contracts/fold-status';
import { type Phase, phaseOf } from '@casewatch/contracts/status-guide';
import { plural, t } from '@lingui/core/macro';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { readAgencyDate } from '../../lib/format-agency-date.ts';
import { formatCalendarDay, formatDay, formatMoment, formatTime } from '../../lib/format-moment.ts';

type HistoryEntry = CaseStatusResult['histCaseData'][number];

export interface DayCount {
  /** `12 days`, `Since today`, `At least 3 days`, or `Unknown`; the day itself of what has been decided. */
  text: string;
  /** The day it counts from; undefined where none is known. */
  since?: string;
}

/** What is known of the time of a case, each once. */
export interface CaseTimes {
  inStatus: DayCount;
  /** The day is all that is of interest: the case has been decided or closed. */
  isDecided: boolean;
  /** The day on which we first saw a status that the agency gives no date for; its days are not counted. */
  seenOn: string | undefined;
  /** Undefined where it says the same as `inStatus`. */
  sinceReceipt: DayCount | undefined;
}

/** Returns since when a case has had its status, by the agency's date alone, and for how long the agency has had the case. */
export function caseTimes(result: CaseStatusResult, nowMs: number): CaseTimes {
  const newest = newestOf(result);
  const current = newest && isSameStatus(newest.caseStatus, result.caseStatus) ? newest : undefined;
  const dated = readAgencyDate(current?.statusHistDate ?? null);
  const isDecided = dated !== undefined && DECIDED.includes(phaseOf(result.caseStatus));
  const counted = dated ? exactly(dated, nowMs) : unknown();
  const inStatus = isDecided ? { text: formatCalendarDay(dated) } : counted;
  const seenAt = dated ? null : (current?.firstObservedAt ?? null);
  const received = daysSinceReceipt(result, nowMs);
  const isSame = counted.text === received.text && counted.since === received.since;
  return {
    inStatus,
    isDecided,
    seenOn: seenAt === null ? undefined : formatDay(seenAt),
    sinceReceipt: isSame && !isDecided ? undefined : received,
  };
}

const DECIDED: readonly Phase[] = ['decision', 'closed'];

/** Returns how long ago the agency received the case: its own date of receipt, else the oldest date of the history. */
function daysSinceReceipt({ caseCreationDate, histCaseData }: CaseStatusResult, nowMs: number): DayCount {
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
