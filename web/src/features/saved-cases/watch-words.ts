import type { SavedCase } from '@casewatch/contracts/cases';
import type { MonitoringFrequency, Tier } from '@casewatch/contracts/limits';
import type { Watch } from '@casewatch/contracts/monitoring';
import { t } from '@lingui/core/macro';
import { formatMoment } from '../../lib/format-moment.ts';
import { serverText } from '../../lib/server-texts.ts';

export interface WatchWords {
  /** Why the check is late, or told no status. */
  reason?: string;
  next: string;
}

/** What is said in place of the next check while Pro has ended; undefined while the monitoring runs. */
export function pausedWords(
  { monitoringPausedAt }: Pick<SavedCase, 'monitoringPausedAt'>,
  tier: Tier | undefined,
): string | undefined {
  if (monitoringPausedAt === null) return undefined;
  // The account has Pro again, and monitoring is about to follow.
  return tier === 'pro' ? t`Resumes in a moment` : t`Paused: Pro ended`;
}

/** When a case will be checked next, or why that takes longer; `readAtMs` is when the server said so. */
export function watchWords(
  watch: Watch | undefined,
  frequency: MonitoringFrequency,
  readAtMs: number,
): WatchWords {
  // The scheduler has not heard of the change yet.
  if (watch?.frequency !== frequency) return { next: t`Being scheduled` };
  const next =
    Date.parse(watch.nextCheckAt) > readAtMs
      ? t`Next check ${formatMoment(watch.nextCheckAt)}`
      : t`Waiting for its turn`;
  return watch.late ? { reason: serverText(watch.late.reason, watch.late.code), next } : { next };
}
