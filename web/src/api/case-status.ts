import { type QueryClient, useMutation } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { savedCasesQueryKey, shownCases } from './saved-case-data.ts';
import { useLatestSignal } from './use-latest-signal.ts';

/** Looks one case up. Of several calls only the last one counts: the ones before it are given up. */
export function useCaseLookUp() {
  const nextSignal = useLatestSignal();
  return useMutation({
    mutationFn: (receiptNumber: string) =>
      callApi(endpoints.lookUpCase, { params: { receiptNumber }, signal: nextSignal() }),
    onSuccess: (result, _asked, _result, { client }) => refreshIfSaved(client, [result.receiptNumber]),
  });
}

/** Looks up to ten cases up in one call (pro); only the last call counts. */
export function useBulkLookUp() {
  const nextSignal = useLatestSignal();
  return useMutation({
    mutationFn: (receiptNumbers: string[]) =>
      callApi(endpoints.lookUpCases, { body: { receiptNumbers }, signal: nextSignal() }),
    onSuccess: (items, _asked, _result, { client }) =>
      refreshIfSaved(
        client,
        items.filter(({ success }) => success).map(({ receiptNumber }) => receiptNumber),
      ),
  });
}

/** A look-up moves the last status and the last check of the saved case with the same number. */
function refreshIfSaved(client: QueryClient, receiptNumbers: string[]): void {
  if (shownCases(client).some(({ receiptNumber }) => receiptNumbers.includes(receiptNumber))) {
    void client.invalidateQueries({ queryKey: savedCasesQueryKey });
  }
}
