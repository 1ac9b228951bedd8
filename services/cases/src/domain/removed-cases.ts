import { REMOVED_CASES_DAYS, SAVED_CASE_BULK_MAX } from '@casewatch/contracts/limits';
import type { RemovedCase } from '@casewatch/contracts/workspace';
import type { SavedCaseStore } from './saved-case-store.ts';

const KEPT_MS = REMOVED_CASES_DAYS * 86_400_000;

/** Returns the cases that the user can still restore, latest first. */
export async function listRemovedCases(
  { savedCases }: { savedCases: SavedCaseStore },
  userId: string,
): Promise<RemovedCase[]> {
  const removed = await savedCases.listRemoved(userId, SAVED_CASE_BULK_MAX);
  return removed.map(
    ({ archivedAt: _, snoozedUntil: __, createdAtMs: ___, dates: ____, removedAtMs, ...rest }) => ({
      ...rest,
      removedAt: new Date(removedAtMs).toISOString(),
      restorableUntil: new Date(removedAtMs + KEPT_MS).toISOString(),
    }),
  );
}
