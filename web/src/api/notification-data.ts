import type { Notification } from '@casewatch/contracts/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { caseStatusQueryKey } from './case-status-key.ts';
import { refreshSavedCases } from './saved-case-data.ts';

export const notificationsQueryKey = ['notifications'] as const;
/** As many as the server's list holds. */
const SHOWN_MAX = 50;

/** Puts a notification that has just come on top of the list, once. The saved cases show the same change. */
export function addNotification(client: QueryClient, notification: Notification): void {
  const list = client.getQueryData<Notification[]>(notificationsQueryKey);
  const isKnown = list?.some(({ id }) => id === notification.id);
  if (!isKnown) {
    refreshSavedCases(client);
    void client.invalidateQueries({ queryKey: caseStatusQueryKey(notification.receiptNumber) });
  }
  if (!list || client.isFetching({ queryKey: notificationsQueryKey }) > 0) {
    // A pending answer may be older than the notification and would remove it again.
    void client.invalidateQueries({ queryKey: notificationsQueryKey });
    return;
  }
  if (isKnown) return;
  client.setQueryData<Notification[]>(notificationsQueryKey, [notification, ...list].slice(0, SHOWN_MAX));
}
