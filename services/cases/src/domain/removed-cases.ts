import { REMOVED_CASES_DAYS, SAVED_CASE_BULK_MAX } from '@casewatch/contracts/limits';
import type { RemovedCase } from '@casewatch/contracts/workspace';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { SavedCaseStore } from './saved-case-store.ts';

const KEPT_MS = REMOVED_CASES_DAYS * 86_400_000;

/** Returns the cases that the user can still restore, latest first. */
export async function listRemovedCases(
  { savedCases, clock }: { savedCases: SavedCaseStore; clock: Clock },
  userId: string,
): Promise<RemovedCase[]> {
  const removed = await savedCases.listRemoved(userId, removedSince(clock.nowMs()), SAVED_CASE_BULK_MAX);
  return removed.map(({ archivedAt: _, snoozedUntil: __, createdAtMs: ___, removedAtMs, ...rest }) => ({
    ...rest,
    removedAt: new Date(removedAtMs).toISOString(),
    restorableUntil: new Date(removedAtMs + KEPT_MS).toISOString(),
  }));
}

/** What was removed before this can't be restored any more. */
export function removedSince(nowMs: number): number {
  return nowMs - KEPT_MS;
}
