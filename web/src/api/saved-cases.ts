import type { SavedCase } from '@casewatch/contracts/cases';
import { useMutation, useQuery } from '@tanstack/react-query';
import { hasCode } from './api-error.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { readUnlessSignedOut } from './read-unless-signed-out.ts';
import {
  changesSavedCases,
  refreshAfterLast,
  replaceCase,
  savedCasesQueryKey,
  takeOut,
} from './saved-case-data.ts';

/** The saved cases of the signed-in user, newest first. */
export function useSavedCases() {
  return useQuery({
    queryKey: savedCasesQueryKey,
    queryFn: async ({ client, signal }) =>
      (await readUnlessSignedOut(client, () => callApi(endpoints.listSavedCases, { signal }))) ?? [],
    networkMode: 'always',
  });
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
      if (saved === null) return;
      client.setQueryData<SavedCase[]>(
        savedCasesQueryKey,
        (cases) => cases && [saved, ...cases.filter(({ id }) => id !== saved.id)],
      );
    },
    onSettled: (_saved, _error, _asked, _result, { client }) => refreshAfterLast(client),
  });
}

/** Removes a saved case at once on the screen, and puts it back if the server refuses. One that is gone already counts as removed. */
export function useRemoveSavedCase() {
  return useMutation({
    ...changesSavedCases,
    mutationFn: async (receiptNumber: string) => {
      try {
        await callApi(endpoints.removeSavedCase, { params: { receiptNumber } });
      } catch (error) {
        if (!hasCode(error, 'SAVED_CASE_NOT_FOUND')) throw error;
      }
    },
    onMutate: async (receiptNumber, { client }) => {
      await client.cancelQueries({ queryKey: savedCasesQueryKey });
      return { putBack: takeOut(client, receiptNumber) };
    },
    onError: (_error, _asked, before) => before?.putBack(),
    onSettled: (_answer, _error, _asked, _before, { client }) => refreshAfterLast(client),
  });
}

export interface CaseChange {
  receiptNumber: string;
  /** null removes it. */
  nickname?: string | null;
  tags?: string[];
}

/** Changes what is given of a saved case. */
export function useChangeCase() {
  return useMutation({
    ...changesSavedCases,
    mutationFn: ({ receiptNumber, ...body }: CaseChange) =>
      callApi(endpoints.changeSavedCase, { params: { receiptNumber }, body }),
    onSuccess: (changed, _change, _result, { client }) => replaceCase(client, changed),
    onSettled: (_answer, _error, _change, _result, { client }) => refreshAfterLast(client),
  });
}
