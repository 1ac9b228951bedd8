import type { SavedCase } from '@casewatch/contracts/cases';
import type { SavedCasesPage } from '@casewatch/contracts/workspace';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { isOffline } from './offline.ts';

export const savedCasesQueryKey = ['saved-cases'] as const;
/** Beneath the list's key: whatever reads the list anew reads these anew. */
export const watchesQueryKey = ['saved-cases', 'watches'] as const;
export const pagesQueryKey = ['saved-cases', 'pages'] as const;
/** Reads of some of the cases, by their receipt numbers. */
export const chosenCasesQueryKey = ['saved-cases', 'chosen'] as const;
export const removedCasesQueryKey = ['saved-cases', 'removed'] as const;
/** What was changed offline and waits, so that whatever reads the list anew reads this anew, in every tab. */
export const offlineChangesKey = ['saved-cases', 'changes-made-offline'] as const;
/** Of everything that changes the list. */
export const caseChangesKey = ['change-saved-cases'] as const;
/** What a change of the saved cases makes stale, in this tab and in the others. */
export const changesSavedCases = { mutationKey: caseChangesKey, meta: { changes: [savedCasesQueryKey] } };

/** Every status that was looked up; going back to a screen shows it again without a call. */
const caseStatusesQueryKey = ['case-status'] as const;

export const caseStatusQueryKey = (receiptNumber: string) =>
  [...caseStatusesQueryKey, receiptNumber] as const;

export const bulkQueryKey = (receiptNumbers: readonly string[]) =>
  [...caseStatusesQueryKey, 'bulk', ...receiptNumbers] as const;

export type SavedCasesPages = InfiniteData<SavedCasesPage, string | null>;

/** Returns every saved case that this tab has read, in whatever list. */
export function shownCases(client: QueryClient): SavedCase[] {
  const pages = client.getQueriesData<SavedCasesPages>({ queryKey: pagesQueryKey });
  const chosen = client.getQueriesData<SavedCase[]>({ queryKey: chosenCasesQueryKey });
  return [
    ...(client.getQueryData<SavedCase[]>(savedCasesQueryKey) ?? []),
    ...chosen.flatMap(([, cases]) => cases ?? []),
    ...pages.flatMap(([, data]) => data?.pages.flatMap(({ cases }) => cases) ?? []),
  ];
}

/** Changes the whole list, and every page and choice that has been read. */
export function changeList(client: QueryClient, change: (cases: SavedCase[]) => SavedCase[]): void {
  const changeSome = (cases: SavedCase[] | undefined) => cases && change(cases);
  client.setQueryData<SavedCase[]>(savedCasesQueryKey, changeSome);
  client.setQueriesData<SavedCase[]>({ queryKey: chosenCasesQueryKey }, changeSome);
  client.setQueriesData<SavedCasesPages>({ queryKey: pagesQueryKey }, (data) => {
    return data && { ...data, pages: data.pages.map((page) => ({ ...page, cases: change(page.cases) })) };
  });
}

/** Puts what the server made of a case in its place. */
export function replaceCase(client: QueryClient, changed: SavedCase): void {
  changeList(client, (cases) => cases.map((one) => (one.id === changed.id ? changed : one)));
}

/** Puts a case that has just been saved where it is looked for: first in the whole list, and in each choice that names it. */
export function addCase(client: QueryClient, saved: SavedCase): void {
  const withIt = (cases: SavedCase[] | undefined) =>
    cases && [saved, ...cases.filter(({ id }) => id !== saved.id)];
  client.setQueryData<SavedCase[]>(savedCasesQueryKey, withIt);
  client.setQueriesData<SavedCase[]>(
    {
      queryKey: chosenCasesQueryKey,
      predicate: ({ queryKey }) => queryKey.includes(saved.receiptNumber),
    },
    withIt,
  );
}

/** Takes a case off the screen; the function that it returns puts it back where it was. */
export function takeOut(client: QueryClient, receiptNumber: string): () => void {
  const isIt = (one: SavedCase) => one.receiptNumber === receiptNumber;
  let taken: SavedCase | undefined;
  const places: number[] = [];
  changeList(client, (cases) => {
    taken ??= cases.find(isIt);
    places.push(cases.findIndex(isIt));
    return cases.filter((one) => !isIt(one));
  });
  return () => {
    let nth = 0;
    changeList(client, (cases) => {
      const at = places[nth++] ?? -1;
      if (taken === undefined || at < 0 || cases.some(isIt)) return cases;
      return [...cases.slice(0, at), taken, ...cases.slice(at)];
    });
  };
}

/** Reads everything of the saved cases anew, but only after the last of several changes: an earlier answer would undo the later ones on the screen. */
export function refreshAfterLast(client: QueryClient): void {
  if (isOffline(client) || client.isMutating({ mutationKey: caseChangesKey }) > 1) return;
  void client.invalidateQueries({ queryKey: savedCasesQueryKey });
}

/** Reads the cases anew, unless a change is in progress, which does so when it ends. */
export function refreshSavedCases(client: QueryClient, { withWatches = true } = {}): void {
  if (client.isMutating({ mutationKey: caseChangesKey }) > 0) return;
  void client.invalidateQueries({
    queryKey: savedCasesQueryKey,
    predicate: ({ queryKey }) => withWatches || queryKey[1] !== watchesQueryKey[1],
  });
}
