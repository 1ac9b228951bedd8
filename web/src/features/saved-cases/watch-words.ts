import type { SavedCase } from '@casewatch/contracts/cases';
import type { MonitoringFrequency, Tier } from '@casewatch/contracts/limits';
import type { LateCode, Watch } from '@casewatch/contracts/monitoring';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { formatMoment, formatMonthDay } from '../../lib/format-moment.ts';
import { languageShown } from '../../lib/format-number.ts';

export interface WatchWords {
  /** Why the check is late, or found no status. */
  reason?: string;
  next: string;
  /** The same in a word or a day, next to the frequency. */
  short: string;
}

/** Returns the text in place of the next check while the case is archived or Pro has ended; undefined while nothing is paused. */
export function pausedWords(
  {
    monitoringFrequency,
    monitoringPausedAt,
    archivedAt,
  }: Pick<SavedCase, 'monitoringFrequency' | 'monitoringPausedAt' | 'archivedAt'>,
  tier: Tier | undefined,
): string | undefined {
  if (monitoringFrequency === 'none') return undefined;
  if (archivedAt !== null) return t`Not checked while archived`;
  if (monitoringPausedAt === null) return undefined;
  // The account has Pro again, and monitoring is about to follow.
  return tier === 'pro' ? t`Resumes in a moment` : t`Paused: Pro ended`;
}

/** Returns when a case will be checked next, or why that takes longer; `readAtMs` is when the server answered. */
export function watchWords(
  watch: Watch | undefined,
  frequency: MonitoringFrequency,
  readAtMs: number,
): WatchWords {
  // The scheduler has not heard of the change yet.
  if (watch?.frequency !== frequency) return { next: t`Being scheduled`, short: t`Being scheduled` };
  const isQueued = Date.parse(watch.nextCheckAt) <= readAtMs;
  const words = {
    next: isQueued ? t`Check queued` : t`Next check ${formatMoment(watch.nextCheckAt)}`,
    short: isQueued ? t`queued` : formatMonthDay(watch.nextCheckAt),
  };
  return watch.late ? { ...words, short: t`late`, reason: lateReason(watch.late) } : words;
}

/** Why a check is late, as the server says it: in English by its words, else by its code. */
const LATE_REASONS: Readonly<Record<LateCode, MessageDescriptor>> = {
  QUEUED: msg`Older checks run first.`,
  BUDGET_SPENT: msg`We have reached today’s limit of checks.`,
  AGENCY_BUSY: msg`The agency is limiting requests right now. We will keep trying.`,
  AGENCY_UNAVAILABLE: msg`The agency’s case status service is temporarily unavailable. We will keep trying.`,
  AGENCY_REFUSED: msg`The agency did not accept this receipt number.`,
  RECEIPT_NOT_RECOGNIZED: msg`The agency did not recognize this receipt number.`,
  UNAVAILABLE: msg`Checks are temporarily unavailable. We will keep trying.`,
};

function lateReason({ code, reason }: NonNullable<Watch['late']>): string {
  return languageShown() === 'en' ? reason : i18n._(LATE_REASONS[code]);
}
