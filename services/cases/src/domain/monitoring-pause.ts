import type { MonitoringFrequency } from '@casewatch/contracts/limits';
import type { Caller } from '@casewatch/service-kit/http/route';
import type { CaseSettings, OwnSavedCases } from './saved-case-store.ts';

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

/** Returns how often the case is checked: not at all while it is archived, or paused. */
function runningFrequency({
  monitoringFrequency,
  monitoringPausedAt,
  archivedAt,
}: Pick<CaseSettings, 'monitoringFrequency' | 'monitoringPausedAt' | 'archivedAt'>): MonitoringFrequency {
  return monitoringPausedAt === null && archivedAt === null ? monitoringFrequency : 'none';
}

/** Returns whether the user has chosen to have the case checked, paused or not. */
export function isMonitored({ monitoringFrequency }: Pick<CaseSettings, 'monitoringFrequency'>): boolean {
  return monitoringFrequency !== 'none';
}

/**
 * Returns whether a change of settings is published: another watch runs, or one begins that is paused. That one starts from what the list shows
 * now, as one that runs.
 */
export function isOtherWatch(before: CaseSettings, after: CaseSettings): boolean {
  const isOtherFrequency = before.monitoringFrequency !== after.monitoringFrequency;
  const leavesArchive = before.archivedAt !== null && after.archivedAt === null && isMonitored(after);
  return isOtherFrequency || leavesArchive || runningFrequency(before) !== runningFrequency(after);
}
