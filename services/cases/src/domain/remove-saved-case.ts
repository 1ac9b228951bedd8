import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { SavedCaseStore } from './saved-case-store.ts';

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
