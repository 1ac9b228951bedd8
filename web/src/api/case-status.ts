import type { BulkResultItem, CaseStatusResult } from '@casewatch/contracts/cases';
import { type QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { ASKED_BY_PERSON } from './follow-successes.ts';
import { bulkQueryKey, caseStatusQueryKey, savedCasesQueryKey, shownCases } from './saved-case-data.ts';
import { useLatestSignal } from './use-latest-signal.ts';
import { readUnlessSignedOut } from './user-data.ts';

/** Returns the status of a case, by its receipt number; undefined asks for nothing. `refetch` asks anew. */
export function useCaseStatus(receiptNumber: string | undefined) {
  return useQuery({
    queryKey: caseStatusQueryKey(receiptNumber ?? ''),
    queryFn: async ({ client, signal }) => {
      const params = { receiptNumber: receiptNumber ?? '' };
      const result = await readUnlessSignedOut(client, () =>
        callApi(endpoints.lookUpCase, { params, query: {}, signal }),
      );
      refreshIfSaved(client, [result.receiptNumber]);
      return result;
    },
    enabled: receiptNumber !== undefined,
    meta: ASKED_BY_PERSON,
  });
}

/** Returns the statuses of up to ten cases in one call (pro); an empty list asks for nothing. */
export function useCaseStatuses(receiptNumbers: readonly string[]) {
  return useQuery({
    queryKey: bulkQueryKey(receiptNumbers),
    queryFn: async ({ client, signal }) => {
      const body = { receiptNumbers: [...receiptNumbers] };
      const items = await readUnlessSignedOut(client, () =>
        callApi(endpoints.lookUpCases, { body, query: {}, signal }),
      );
      keepResults(client, items);
      return items;
    },
    enabled: receiptNumbers.length > 0,
    meta: ASKED_BY_PERSON,
  });
}

/** Looks up again what failed of a bulk lookup of `receiptNumbers`; each new answer takes the place of the one before. */
export function useRetryCaseStatuses(receiptNumbers: readonly string[]) {
  return useMutation({
    mutationFn: (failed: readonly string[]) =>
      callApi(endpoints.lookUpCases, { body: { receiptNumbers: [...failed] }, query: {} }),
    onSuccess: (answered, _failed, _result, { client }) => {
      const answers = new Map(answered.map((item) => [item.receiptNumber, item]));
      client.setQueryData<BulkResultItem[]>(bulkQueryKey(receiptNumbers), (items) =>
        items?.map((item) => answers.get(item.receiptNumber) ?? item),
      );
      keepResults(client, answered);
    },
  });
}

/** Looks one case up for a card of its own. Of several calls only the last one counts: the ones before it are canceled. */
export function useCaseLookUp() {
  const nextSignal = useLatestSignal();
  return useMutation({
    mutationFn: (receiptNumber: string) =>
      callApi(endpoints.lookUpCase, {
        params: { receiptNumber },
        query: { origin: 'check-now' },
        signal: nextSignal(),
      }),
    onSuccess: (result, _asked, _result, { client }) => {
      keepResult(client, result);
      refreshIfSaved(client, [result.receiptNumber]);
    },
  });
}

/** The page of the case shows what another screen has just read. */
function keepResult(client: QueryClient, result: CaseStatusResult): void {
  client.setQueryData<CaseStatusResult>(caseStatusQueryKey(result.receiptNumber), result);
}

function keepResults(client: QueryClient, items: readonly BulkResultItem[]): void {
  const results = items.flatMap(({ success, data }) => (success && data ? [data] : []));
  for (const result of results) keepResult(client, result);
  refreshIfSaved(
    client,
    results.map(({ receiptNumber }) => receiptNumber),
  );
}

/** A lookup moves the last status and the last check of the saved case with the same number. */
function refreshIfSaved(client: QueryClient, receiptNumbers: string[]): void {
  if (shownCases(client).some(({ receiptNumber }) => receiptNumbers.includes(receiptNumber))) {
    void client.invalidateQueries({ queryKey: savedCasesQueryKey });
  }
}
