import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import type { NotificationSettingsAnswer } from '@casewatch/contracts/notification-settings';
import type { NotificationPreferences } from '@casewatch/contracts/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { readUnlessSignedOut } from './user-data.ts';

const preferencesQueryKey = ['notifications', 'preferences'] as const;

/** Returns how the signed-in user wants to be notified; null when the session has ended. Read anew by each screen. */
export function useNotificationPreferences() {
  return useQuery({
    queryKey: preferencesQueryKey,
    queryFn: ({ client, signal }) =>
      readUnlessSignedOut(client, () => callApi(endpoints.getNotificationPreferences, { signal })),
    refetchOnMount: 'always',
  });
}

/** Changes preferences; several changes are sent one after the other: the last one counts. */
export function useChangeNotificationPreferences() {
  return useMutation({
    scope: { id: 'change notification preferences' },
    mutationFn: (body: { email: boolean }) => callApi(endpoints.changeNotificationPreferences, { body }),
    onSuccess: (preferences, _input, _result, { client }) =>
      Promise.all([
        client.setQueryData<NotificationPreferences | null>(preferencesQueryKey, preferences),
        client.invalidateQueries({ queryKey: settingsQueryKey }),
      ]),
  });
}

const settingsQueryKey = ['notifications', 'settings'] as const;

/**
 * Returns which notifications the signed-in user gets, where and when; null when the session has ended. Each time that it is opened
 * the form waits for what is true now, since it saves all of it.
 */
export function useNotificationSettings() {
  return useQuery({
    queryKey: settingsQueryKey,
    queryFn: ({ client, signal }) =>
      readUnlessSignedOut(client, () => callApi(endpoints.getNotificationSettings, { signal })),
    gcTime: 0,
  });
}

/** Makes the switch of e-mails follow the settings. */
export function useChangeNotificationSettings() {
  return useMutation({
    scope: { id: 'change notification preferences' },
    mutationFn: (body: NotificationSettings) => callApi(endpoints.changeNotificationSettings, { body }),
    onSuccess: (answer, _input, _result, { client }) => {
      client.setQueryData<NotificationSettingsAnswer | null>(settingsQueryKey, answer);
      return client.invalidateQueries({ queryKey: preferencesQueryKey });
    },
  });
}

/** Stops the e-mails of the token's kind to its recipient, or all about cases; needs no session. */
export function useUnsubscribe() {
  return useMutation({
    mutationFn: ({ token, all }: { token: string; all: boolean }) =>
      callApi(endpoints.unsubscribe, { query: { token, ...(all ? { all: 'true' as const } : {}) } }),
  });
}
