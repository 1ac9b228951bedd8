import type { SavedCase } from '@casewatch/contracts/cases';
import type { QueryClient } from '@tanstack/react-query';

export const savedCasesQueryKey = ['saved-cases'] as const;
/** Beneath the list's key: whatever reads the list anew reads the watches anew. */
export const watchesQueryKey = ['saved-cases', 'watches'] as const;
/** Of everything that changes the list. */
export const caseChangesKey = ['change-saved-cases'] as const;

export function changeList(client: QueryClient, change: (cases: SavedCase[]) => SavedCase[]): void {
  client.setQueryData<SavedCase[]>(savedCasesQueryKey, (cases) => cases && change(cases));
}

/** Puts what the server made of a case in its place. */
export function replaceCase(client: QueryClient, changed: SavedCase): void {
  changeList(client, (cases) => cases.map((one) => (one.id === changed.id ? changed : one)));
}

/** Reads the list and the watches anew, but only after the last of several changes: an earlier answer would undo the later ones on the screen. */
export function refreshAfterLast(client: QueryClient): void {
  if (client.isMutating({ mutationKey: caseChangesKey }) > 1) return;
  void client.invalidateQueries({ queryKey: savedCasesQueryKey });
}

/** Something happened elsewhere: reads the list anew, unless a change is under way, which does so when it ends. */
export function refreshSavedCases(client: QueryClient, { exact = false } = {}): void {
  if (client.isMutating({ mutationKey: caseChangesKey }) > 0) return;
  void client.invalidateQueries({ queryKey: savedCasesQueryKey, exact });
}
