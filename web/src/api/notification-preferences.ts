import type { NotificationPreferences } from '@casewatch/contracts/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { readUnlessSignedOut } from './read-unless-signed-out.ts';

const preferencesQueryKey = ['notifications', 'preferences'] as const;

/** How the signed-in user wants to be notified; null when the session has ended. Read anew by each screen. */
export function useNotificationPreferences() {
  return useQuery({
    queryKey: preferencesQueryKey,
    queryFn: ({ client, signal }) =>
      readUnlessSignedOut(client, () => callApi(endpoints.getNotificationPreferences, { signal })),
    refetchOnMount: 'always',
    networkMode: 'always',
  });
}

/** Several are sent one after the other: the last one counts. */
export function useChangeNotificationPreferences() {
  return useMutation({
    scope: { id: 'change notification preferences' },
    mutationFn: (body: { email: boolean }) => callApi(endpoints.changeNotificationPreferences, { body }),
    onSuccess: (preferences, _input, _result, { client }) =>
      client.setQueryData<NotificationPreferences | null>(preferencesQueryKey, preferences),
  });
}

/** Stops the e-mails to the recipient of the token; needs no session. */
export function useUnsubscribe() {
  return useMutation({
    mutationFn: (token: string) => callApi(endpoints.unsubscribe, { query: { token } }),
  });
}
