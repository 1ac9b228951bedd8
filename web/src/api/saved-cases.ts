import type { SavedCase } from '@casewatch/contracts/cases';
import { useMutation, useQuery } from '@tanstack/react-query';
import { hasCode } from './api-error.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { readUnlessSignedOut } from './read-unless-signed-out.ts';
import {
  caseChangesKey,
  changeList,
  refreshAfterLast,
  replaceCase,
  savedCasesQueryKey,
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
    mutationKey: caseChangesKey,
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
      changeList(client, (cases) => [saved, ...cases.filter(({ id }) => id !== saved.id)]);
    },
    onSettled: (_saved, _error, _asked, _result, { client }) => refreshAfterLast(client),
  });
}

/** Removes a saved case at once on the screen, and puts it back if the server refuses. One that is gone already counts as removed. */
export function useRemoveSavedCase() {
  return useMutation({
    mutationKey: caseChangesKey,
    mutationFn: async (receiptNumber: string) => {
      try {
        await callApi(endpoints.removeSavedCase, { params: { receiptNumber } });
      } catch (error) {
        if (!hasCode(error, 'SAVED_CASE_NOT_FOUND')) throw error;
      }
    },
    onMutate: async (receiptNumber, { client }) => {
      await client.cancelQueries({ queryKey: savedCasesQueryKey });
      const cases = client.getQueryData<SavedCase[]>(savedCasesQueryKey) ?? [];
      const at = cases.findIndex((one) => one.receiptNumber === receiptNumber);
      changeList(client, (list) => list.filter((one) => one.receiptNumber !== receiptNumber));
      return { removed: cases[at], at };
    },
    onError: (_error, _asked, before, { client }) => {
      const removed = before?.removed;
      if (removed) changeList(client, (list) => withCaseAt(list, removed, before.at));
    },
    onSettled: (_answer, _error, _asked, _before, { client }) => refreshAfterLast(client),
  });
}

export interface NicknameChange {
  receiptNumber: string;
  /** null removes it. */
  nickname: string | null;
}

export function useChangeNickname() {
  return useMutation({
    mutationKey: caseChangesKey,
    mutationFn: ({ receiptNumber, nickname }: NicknameChange) =>
      callApi(endpoints.changeSavedCase, { params: { receiptNumber }, body: { nickname } }),
    onSuccess: (changed, _change, _result, { client }) => replaceCase(client, changed),
    onSettled: (_answer, _error, _change, _result, { client }) => refreshAfterLast(client),
  });
}

function withCaseAt(cases: SavedCase[], one: SavedCase, at: number): SavedCase[] {
  return cases.some(({ id }) => id === one.id) ? cases : cases.toSpliced(at, 0, one);
}
