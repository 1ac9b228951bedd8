import type { SavedCase } from '@casewatch/contracts/cases';
import { preferredLanguage } from '@casewatch/contracts/languages';
import type {
  BulkChange,
  BulkOutcome,
  ImportedCase,
  SavedCasesPage,
  SavedCasesQuery,
} from '@casewatch/contracts/workspace';
import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { ApiError, failureText, hasCode } from './api-error.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import {
  changesSavedCases,
  pagesQueryKey,
  refreshAfterLast,
  removedCasesQueryKey,
  savedCasesQueryKey,
} from './saved-case-data.ts';
import { readUnlessSignedOut, userIdOf } from './user-data.ts';

/** What the page asks for; what is left out is not filtered by. */
export type WorkspaceQuery = Partial<
  Pick<SavedCasesQuery, 'search' | 'status' | 'form' | 'tag' | 'monitoring' | 'changedSince' | 'dateUntil'>
> & {
  sort: SavedCasesQuery['sort'];
  order: SavedCasesQuery['order'];
  needsAction?: true;
  archived?: true;
};

const PAGE_SIZE = 50;
/** The most that the server gives at once. */
const WHOLE_PAGE_SIZE = 500;
const checkFailed = () => t`Failed to fetch case status`;
/** Also true where the change was made and its answer was lost. */
export const notConfirmed = () => t`The change was not confirmed. Check your connection and try again.`;
const NOTHING: SavedCasesPage = { cases: [], next: null, summary: null };

/** Returns the saved cases that fit, page by page. While other ones are read the former stay on the screen. */
export function useSavedCasePages(query: WorkspaceQuery) {
  return useInfiniteQuery({
    queryKey: [...pagesQueryKey, query, ...(query.sort === 'nickname' ? [i18n.locale] : [])],
    queryFn: async ({ client, signal, pageParam }) =>
      (await readUnlessSignedOut(client, () => readPage(query, pageParam, PAGE_SIZE, signal))) ?? NOTHING,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: SavedCasesPage) => next,
    placeholderData: keepPreviousData,
  });
}

/** Reads every saved case that fits. */
export async function readAllMatching(query: WorkspaceQuery, signal: AbortSignal): Promise<SavedCase[]> {
  const found: SavedCase[] = [];
  let cursor: string | null = null;
  do {
    const page: SavedCasesPage = await readPage(query, cursor, WHOLE_PAGE_SIZE, signal);
    found.push(...page.cases);
    cursor = page.next;
  } while (cursor !== null);
  return found;
}

function readPage(query: WorkspaceQuery, cursor: string | null, limit: number, signal?: AbortSignal) {
  const { needsAction, archived, ...rest } = query;
  return callApi(endpoints.listSavedCasesPage, {
    query: {
      ...rest,
      language: preferredLanguage([i18n.locale]),
      ...(needsAction ? { needsAction: 'true' as const } : {}),
      ...(archived ? { archived: 'true' as const } : {}),
      limit,
      ...(cursor === null ? {} : { cursor }),
    },
    ...(signal ? { signal } : {}),
  });
}

/**
 * Sends changes of many cases one after the other; resolves to the outcomes of all. Where one fails after another
 * succeeded, its cases and those of the changes after it are refused.
 */
export function useChangeCases() {
  return useMutation({
    ...changesSavedCases,
    mutationFn: async (changes: readonly BulkChange[], { client }) => {
      const userId = userIdOf(client);
      const results: BulkOutcome[] = [];
      for (const [nth, change] of changes.entries()) {
        // The session may be that of another user now.
        if (userIdOf(client) !== userId) break;
        try {
          results.push(...(await callApi(endpoints.changeSavedCases, { body: change })).results);
        } catch (error) {
          if (nth === 0 || hasCode(error, 'SIGNED_OUT')) throw error;
          const rest = changes.slice(nth).flatMap(({ receiptNumbers }) => receiptNumbers);
          return [...results, ...refused(rest, failureText(error, notConfirmed()))];
        }
      }
      return results;
    },
    onSettled: (_results, _error, _changes, _result, { client }) => refreshAfterLast(client),
  });
}

/** Saves some cases in one request; resolves to the outcomes. */
export function useSaveCases() {
  return useMutation({
    ...changesSavedCases,
    mutationFn: async (cases: ImportedCase[]) =>
      (await callApi(endpoints.importSavedCases, { body: { cases } })).results,
    onSettled: (_results, _error, _cases, _result, { client }) => refreshAfterLast(client),
  });
}

/** Returns what was removed and can be restored, latest first. */
export function useRemovedCases() {
  return useQuery({
    queryKey: removedCasesQueryKey,
    queryFn: async ({ client, signal }) =>
      (await readUnlessSignedOut(client, () => callApi(endpoints.listRemovedCases, { signal }))) ?? [],
    refetchOnMount: 'always',
  });
}

/** Looks many cases up, as many at once as a bulk lookup takes (Pro), else one by one. */
export function useCheckCases() {
  return useMutation({
    mutationFn: async (
      { receiptNumbers, atOnce }: { receiptNumbers: readonly string[]; atOnce: number },
      { client },
    ) => {
      const userId = userIdOf(client);
      const results: BulkOutcome[] = [];
      for (let start = 0; start < receiptNumbers.length; start += atOnce) {
        if (userIdOf(client) !== userId) break;
        results.push(...(await check(receiptNumbers.slice(start, start + atOnce), atOnce)));
      }
      return results;
    },
    meta: changesSavedCases.meta,
    onSettled: (_results, _error, _asked, _result, { client }) =>
      client.invalidateQueries({ queryKey: savedCasesQueryKey }),
  });
}

async function check(receiptNumbers: readonly string[], atOnce: number): Promise<BulkOutcome[]> {
  const [first = ''] = receiptNumbers;
  try {
    if (atOnce === 1) {
      await callApi(endpoints.lookUpCase, {
        params: { receiptNumber: first },
        query: { origin: 'check-now' },
      });
      return [{ receiptNumber: first, outcome: 'changed' }];
    }
    const items = await callApi(endpoints.lookUpCases, {
      body: { receiptNumbers: [...receiptNumbers] },
      query: { origin: 'check-now' },
    });
    return items.map(({ success, receiptNumber, error = checkFailed(), agencyMessage }) =>
      success
        ? { receiptNumber, outcome: 'changed' }
        : { receiptNumber, outcome: 'refused', error, agencyMessage },
    );
  } catch (error) {
    if (hasCode(error, 'SIGNED_OUT')) throw error;
    const agencyMessage = error instanceof ApiError ? error.agencyMessage : undefined;
    return refused(receiptNumbers, failureText(error, checkFailed())).map((one) => ({
      ...one,
      agencyMessage,
    }));
  }
}

export function refused(receiptNumbers: readonly string[], error: string): BulkOutcome[] {
  return receiptNumbers.map((receiptNumber) => ({ receiptNumber, outcome: 'refused', error }));
}
