import type { SavedCase } from '@casewatch/contracts/cases';
import type { MonitoringFrequency } from '@casewatch/contracts/limits';
import type { Watch } from '@casewatch/contracts/monitoring';
import { useMutation, useQuery } from '@tanstack/react-query';
import { byServerClock, serverNowMs } from '../lib/server-clock.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { isOffline } from './offline.ts';
import {
  changesSavedCases,
  refreshAfterLast,
  refreshSavedCases,
  replaceCase,
  watchesQueryKey,
} from './saved-case-data.ts';
import { readUnlessSignedOut } from './user-data.ts';
import {
  isWatched,
  REGULARLY_MS,
  type ReadWatches,
  readAgainInMs,
  watchesByReceipt,
  wereChecked,
} from './watch-refresh.ts';

/**
 * Returns when the watched ones of these cases were and will be checked, as of when it was read; undefined as long as
 * that is not known. Read again while the page is visible, soon when a check is due, else every minute; after a
 * check the list of saved cases is read again as well. `receiptNumber`: only the watch of this case is read.
 */
export function useWatches(
  savedCases: readonly SavedCase[],
  receiptNumber?: string,
): ReadWatches | undefined {
  const queryKey = receiptNumber === undefined ? watchesQueryKey : [...watchesQueryKey, receiptNumber];
  const { data, dataUpdatedAt, isError } = useQuery({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const query = receiptNumber === undefined ? {} : { receiptNumbers: receiptNumber };
      const watches =
        (await readUnlessSignedOut(client, () => callApi(endpoints.listWatches, { query, signal }))) ?? [];
      if (wereChecked(client.getQueryData<Watch[]>(queryKey), watches)) {
        refreshSavedCases(client, { withWatches: false });
      }
      return watches;
    },
    enabled: savedCases.some(isWatched),
    refetchInterval: ({ state: { status, data = [] } }) =>
      status === 'success' ? readAgainInMs(data, savedCases, serverNowMs()) : REGULARLY_MS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  // An answer that could not be renewed may have been overtaken by the checks since.
  return data === undefined || isError
    ? undefined
    : { byReceipt: watchesByReceipt(data), readAtMs: byServerClock(dataUpdatedAt) };
}

/**
 * Changes how often a saved case is checked. Several changes are sent one after the other; what the server has
 * not confirmed yet are the `variables` of the last one, never the list's data. Offline the change waits, and there is no answer.
 */
export function useChangeFrequency(receiptNumber: string) {
  return useMutation({
    ...changesSavedCases,
    scope: { id: `frequency of ${receiptNumber}` },
    mutationFn: async (monitoringFrequency: MonitoringFrequency, { client }) => {
      if (!isOffline(client))
        return callApi(endpoints.changeSavedCase, {
          params: { receiptNumber },
          body: { monitoringFrequency },
        });
      await (await import('./send-changes.ts')).changeLater(client, receiptNumber, {
        kind: 'frequency',
        wanted: monitoringFrequency,
      });
      return undefined;
    },
    onSuccess: (changed, _frequency, _result, { client }) => {
      if (changed) replaceCase(client, changed);
    },
    onSettled: (_answer, _error, _frequency, _result, { client }) => refreshAfterLast(client),
  });
}
