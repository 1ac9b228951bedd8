import type { SavedCase } from '@casewatch/contracts/cases';
import { CHOSEN_CASES_MAX } from '@casewatch/contracts/limits';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { hasCode } from './api-error.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { isOffline } from './offline.ts';
import {
  addCase,
  changesSavedCases,
  chosenCasesQueryKey,
  refreshAfterLast,
  replaceCase,
  savedCasesQueryKey,
  shownCases,
  takeOut,
} from './saved-case-data.ts';
import { readUnlessSignedOut } from './user-data.ts';

/** Returns every saved case of the signed-in user, newest first. A screen that shows some cases asks for those. */
export function useSavedCases() {
  return useQuery({
    queryKey: savedCasesQueryKey,
    queryFn: async ({ client, signal }) =>
      (await readUnlessSignedOut(client, () => callApi(endpoints.listSavedCases, { query: {}, signal }))) ??
      [],
  });
}

/**
 * Returns those of these cases that are saved, at most the first hundred; an empty list asks for nothing. What another screen has
 * read of them is shown at once.
 */
export function useSavedCasesOf(receiptNumbers: readonly string[]) {
  const chosen = [...new Set(receiptNumbers)].slice(0, CHOSEN_CASES_MAX).sort();
  const client = useQueryClient();
  return useQuery({
    queryKey: [...chosenCasesQueryKey, ...chosen],
    queryFn: async ({ signal }) => {
      const known = isOffline(client) && knownOf(shownCases(client), chosen);
      if (known) return known;
      const query = { receiptNumbers: chosen.join() };
      return await readUnlessSignedOut(client, () => callApi(endpoints.listSavedCases, { query, signal }));
    },
    placeholderData: () => knownOf(shownCases(client), chosen),
    enabled: chosen.length > 0,
  });
}

/** Returns whether a case is one of those; undefined while that is not known. After a failed read the server decides when it is saved. */
export function isSavedIn(
  { data, isPending }: ReturnType<typeof useSavedCasesOf>,
  receiptNumber: string,
): boolean | undefined {
  return isPending ? undefined : (data?.some((one) => one.receiptNumber === receiptNumber) ?? false);
}

/** Undefined while one of them is in no list: it may be saved all the same. */
function knownOf(cases: readonly SavedCase[], chosen: readonly string[]): SavedCase[] | undefined {
  const known = chosen.flatMap(
    (receiptNumber) => cases.find((one) => one.receiptNumber === receiptNumber) ?? [],
  );
  return known.length === chosen.length ? known : undefined;
}

/** Saves a case. One that another tab saved already counts as saved. */
export function useSaveCase() {
  return useMutation({
    ...changesSavedCases,
    mutationFn: async (receiptNumber: string) => {
      try {
        return await callApi(endpoints.saveCase, { body: { receiptNumber, monitoringFrequency: 'none' } });
      } catch (error) {
        if (hasCode(error, 'CASE_ALREADY_SAVED')) return null;
        throw error;
      }
    },
    onSuccess: (saved, _asked, _result, { client }) => {
      if (saved !== null) addCase(client, saved);
    },
    onSettled: (_saved, _error, _asked, _result, { client }) => refreshAfterLast(client),
  });
}

/** Removes a saved case at once on the screen, and puts it back if the server refuses. One that is not found counts as removed. Offline the removal waits. */
export function useRemoveSavedCase() {
  return useMutation({
    ...changesSavedCases,
    mutationFn: async (receiptNumber: string, { client }) => {
      if (isOffline(client))
        return (await import('./send-changes.ts')).changeLater(client, receiptNumber, { kind: 'removal' });
      try {
        await callApi(endpoints.removeSavedCase, { params: { receiptNumber } });
      } catch (error) {
        if (!hasCode(error, 'SAVED_CASE_NOT_FOUND')) throw error;
      }
    },
    onMutate: async (receiptNumber, { client }) => {
      if (isOffline(client)) return undefined;
      await client.cancelQueries({ queryKey: savedCasesQueryKey });
      return { putBack: takeOut(client, receiptNumber) };
    },
    onError: (_error, _asked, before) => before?.putBack(),
    onSettled: (_answer, _error, _asked, _before, { client }) => refreshAfterLast(client),
  });
}

export interface CaseChange {
  /** null removes it. */
  nickname?: string | null;
  tags?: string[];
  /** null ends the snooze. */
  snoozedUntil?: string | null;
}

/** Changes what is given of a saved case, one change after the other. Offline a nickname waits, and there is no answer. */
export function useChangeCase(receiptNumber: string) {
  return useMutation({
    ...changesSavedCases,
    scope: { id: `change of ${receiptNumber}` },
    mutationFn: async (body: CaseChange, { client }) => {
      if (!isOffline(client) || body.nickname === undefined)
        return callApi(endpoints.changeSavedCase, { params: { receiptNumber }, body });
      await (await import('./send-changes.ts')).changeLater(client, receiptNumber, {
        kind: 'nickname',
        wanted: body.nickname,
      });
      return undefined;
    },
    onSuccess: (changed, _change, _result, { client }) => {
      if (changed) replaceCase(client, changed);
    },
    onSettled: (_answer, _error, _change, _result, { client }) => refreshAfterLast(client),
  });
}
