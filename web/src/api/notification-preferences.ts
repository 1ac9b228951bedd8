import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import type { NotificationSettingsAnswer } from '@casewatch/contracts/notification-settings';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ownTimeZone } from '../lib/own-time-zone.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { readUnlessSignedOut } from './user-data.ts';

const settingsQueryKey = ['notifications', 'settings'] as const;
const CHANGE = ['notifications', 'change settings'] as const;
type PerChannel = 'bell' | 'email' | 'push';

/** What one control changes. */
export type NotificationChanges = Partial<Omit<NotificationSettings, PerChannel>> & {
  [Channel in PerChannel]?: Partial<NotificationSettings[Channel]>;
};

/** Returns which notifications the signed-in user gets, where and when. Read anew each time that the screen opens. */
export function useNotificationSettings() {
  return useQuery({
    queryKey: settingsQueryKey,
    queryFn: ({ client, signal }) =>
      readUnlessSignedOut(client, () => callApi(endpoints.getNotificationSettings, { signal })),
    gcTime: 0,
  });
}

/**
 * Changes the settings one after the other. What was chosen shows at once, and goes back when it could not be kept. The server
 * replaces all of them, so each change is made to those of now: one made elsewhere since stays. With the first change a time zone is
 * chosen that was not chosen yet.
 */
export function useChangeNotificationSettings() {
  return useMutation({
    mutationKey: CHANGE,
    scope: { id: 'change notification settings' },
    mutationFn: async (changes: NotificationChanges) => {
      const { settings } = await callApi(endpoints.getNotificationSettings);
      const wanted = merge(settings, changes);
      return callApi(endpoints.changeNotificationSettings, {
        body: { ...wanted, timeZone: wanted.timeZone ?? ownTimeZone() },
      });
    },
    onMutate: async (changes, { client }) => {
      await client.cancelQueries({ queryKey: settingsQueryKey });
      client.setQueryData<NotificationSettingsAnswer>(
        settingsQueryKey,
        (shown) => shown && { ...shown, settings: merge(shown.settings, changes) },
      );
    },
    onSuccess: (answer, _changes, _result, { client }) => {
      // Those that wait show already.
      if (client.isMutating({ mutationKey: CHANGE }) > 1) return;
      // Nothing is put back of a screen that was left: it reads anew.
      client.setQueryData<NotificationSettingsAnswer>(settingsQueryKey, (shown) => shown && answer);
    },
    onError: async (_error, _changes, _result, { client }) => {
      // The last of those that wait says what holds; read now, it would take them back on the screen.
      if (client.isMutating({ mutationKey: CHANGE }) > 1) return;
      await client.invalidateQueries({ queryKey: settingsQueryKey });
    },
  });
}

function merge(settings: NotificationSettings, changes: NotificationChanges): NotificationSettings {
  return {
    ...settings,
    ...changes,
    bell: { ...settings.bell, ...changes.bell },
    email: { ...settings.email, ...changes.email },
    push: { ...settings.push, ...changes.push },
  };
}

/** Stops the e-mails of the token's kind to its recipient, or all about cases; needs no session. */
export function useUnsubscribe() {
  return useMutation({
    mutationFn: ({ token, all }: { token: string; all: boolean }) =>
      callApi(endpoints.unsubscribe, { query: { token, ...(all ? { all: 'true' as const } : {}) } }),
  });
}
