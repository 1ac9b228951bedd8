import type { MonitoringFrequency } from '@casewatch/contracts/limits';
import type { Caller } from '@casewatch/service-kit/http/route';
import type { CaseSettings, OwnSavedCases, Watched } from './saved-case-store.ts';

/**
 * Returns since when a frequency that is chosen now is paused; null when it runs. The plan of the last event counts before
 * the caller's, which may be older or newer: the event that is missing pauses or resumes.
 */
export async function pauseOf(
  own: OwnSavedCases,
  { tier }: Caller,
  nowMs: number,
): Promise<(frequency: MonitoringFrequency) => string | null> {
  const isPro = ((await own.planTier()) ?? tier) === 'pro';
  return (frequency) => (isPro || frequency === 'none' ? null : new Date(nowMs).toISOString());
}

/** Returns how often the case is to be checked from now on: not at all while it is archived. */
export function watchOf({
  receiptNumber,
  monitoringFrequency,
  monitoringPausedAt,
  archivedAt,
}: Pick<
  CaseSettings,
  'receiptNumber' | 'monitoringFrequency' | 'monitoringPausedAt' | 'archivedAt'
>): Watched {
  const runs = monitoringPausedAt === null && archivedAt === null;
  return { receiptNumber, frequency: runs ? monitoringFrequency : 'none' };
}

/** Whether monitoring has to know of a case that was just added. */
export function isRunning({ frequency }: Watched): boolean {
  return frequency !== 'none';
}
