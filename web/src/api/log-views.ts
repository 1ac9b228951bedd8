import type { LogView } from '@casewatch/contracts/log-views';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';

const KEY = ['log-views'];

/** Returns the signed-in administrator's own views of the log. */
export function useLogViews() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi(endpoints.listLogViews, { signal }),
  });
}

/** Returns the list in which each replaces the one of its name; the others stay. */
export function useSaveLogViews() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (views: readonly Omit<LogView, 'id'>[]) =>
      callApi(endpoints.saveLogViews, { body: { views: [...views] } }),
    onSuccess: (views) => client.setQueryData(KEY, views),
  });
}

export function useRemoveLogView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(endpoints.removeLogView, { params: { id } }),
    // Also after a refusal: another window may have changed the list.
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
