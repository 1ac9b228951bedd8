import { REMOVED_CASES_DAYS, SAVED_CASE_BULK_MAX } from '@casewatch/contracts/limits';
import type { RemovedCase } from '@casewatch/contracts/workspace';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { SavedCaseStore } from './saved-case-store.ts';

const KEPT_MS = REMOVED_CASES_DAYS * 86_400_000;

/**
 * Removes a case from the user's list, and ends its watch; it can be restored for a while.
 * @throws AppError SAVED_CASE_NOT_FOUND
 */
export async function removeSavedCase(
  { savedCases }: { savedCases: SavedCaseStore },
  userId: string,
  receiptNumber: string,
): Promise<void> {
  await savedCases.forUser(userId, async (own) => {
    const [before] = await own.find([receiptNumber]);
    if (!before) throw notSaved();
    await own.remove([receiptNumber]);
    if (before.monitoringFrequency !== 'none') {
      await own.publishWatches([receiptNumber]);
    }
  });
}

/** Creates the error for an unsaved case, and for one that another user saved. */
export function notSaved(): AppError {
  return new AppError('SAVED_CASE_NOT_FOUND');
}

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
