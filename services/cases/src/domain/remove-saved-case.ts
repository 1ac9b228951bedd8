import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { SavedCaseStore } from './saved-case-store.ts';

/**
 * Removes a case from the user's list, and ends its watch; it can be restored for a while.
 * @throws AppError SAVED_CASE_NOT_FOUND
 */
export async function removeSavedCase(
  { savedCases, clock }: { savedCases: SavedCaseStore; clock: Clock },
  userId: string,
  receiptNumber: string,
): Promise<void> {
  await savedCases.forUser(userId, async (own) => {
    const [before] = await own.find([receiptNumber]);
    if (!before) throw notSaved();
    await own.remove([receiptNumber], clock.nowMs());
    if (before.monitoringFrequency !== 'none') {
      await own.publishWatches([{ receiptNumber, frequency: 'none' }]);
    }
  });
}

/** The same answer for an unsaved case and for one that another user saved. */
export function notSaved(): AppError {
  return new AppError('SAVED_CASE_NOT_FOUND', 'This case is not in your saved list.');
}
