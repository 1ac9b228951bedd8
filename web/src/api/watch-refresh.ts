import type { SavedCase } from '@casewatch/contracts/cases';
import type { Watch } from '@casewatch/contracts/monitoring';

export interface ReadWatches {
  readonly byReceipt: ReadonlyMap<string, Watch>;
  readonly readAtMs: number;
}

export const REGULARLY_MS = 60_000;
const SOON_MS = 3_000;
const AT_ONCE_MS = 1_000;

/** Returns whether a saved case is to be checked: not while it is archived, nor while Pro has ended. */
export function isWatched({
  monitoringFrequency,
  monitoringPausedAt,
  archivedAt,
}: Pick<SavedCase, 'monitoringFrequency' | 'monitoringPausedAt' | 'archivedAt'>): boolean {
  return monitoringFrequency !== 'none' && monitoringPausedAt === null && archivedAt === null;
}

/**
 * Returns in how many milliseconds the watches are read again: soon while a change of frequency or a check is under
 * way, else shortly after the next check is due, and every minute at least. A check that is late has a reason and is not polled in haste.
 */
export function readAgainInMs(
  watches: readonly Watch[],
  savedCases: readonly Pick<
    SavedCase,
    'receiptNumber' | 'monitoringFrequency' | 'monitoringPausedAt' | 'archivedAt'
  >[],
  nowMs: number,
): number {
  const byReceipt = watchesByReceipt(watches);
  const waits = savedCases.filter(isWatched).flatMap(({ receiptNumber, monitoringFrequency }) => {
    const watch = byReceipt.get(receiptNumber);
    // The change of frequency is still on its way to the scheduler.
    if (watch?.frequency !== monitoringFrequency) return [AT_ONCE_MS];
    if (watch.late) return [];
    return [Math.max(0, Date.parse(watch.nextCheckAt) - nowMs) + SOON_MS];
  });
  return Math.min(REGULARLY_MS, ...waits);
}

/** Returns whether a case was checked since the answer before; unknown after the first answer, so that they may have been. */
export function wereChecked(before: readonly Watch[] | undefined, now: readonly Watch[]): boolean {
  if (!before) return now.length > 0;
  const byReceipt = watchesByReceipt(before);
  return now.some(
    ({ receiptNumber, lastCheckedAt }) =>
      lastCheckedAt !== (byReceipt.get(receiptNumber)?.lastCheckedAt ?? null),
  );
}

export function watchesByReceipt(watches: readonly Watch[]): Map<string, Watch> {
  return new Map(watches.map((watch) => [watch.receiptNumber, watch]));
}
