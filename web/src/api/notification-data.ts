import type { Notification } from '@casewatch/contracts/notifications';
import type { QueryClient } from '@tanstack/react-query';

export const notificationsQueryKey = ['notifications'] as const;
/** As many as the server's list holds. */
const SHOWN_MAX = 50;

/** Puts a notification that has just come on top of the list, once. */
export function addNotification(client: QueryClient, notification: Notification): void {
  const list = client.getQueryData<Notification[]>(notificationsQueryKey);
  if (!list || client.isFetching({ queryKey: notificationsQueryKey }) > 0) {
    // An answer under way may be older than the notification and would take it away again.
    void client.invalidateQueries({ queryKey: notificationsQueryKey });
    return;
  }
  if (list.some(({ id }) => id === notification.id)) return;
  client.setQueryData<Notification[]>(notificationsQueryKey, [notification, ...list].slice(0, SHOWN_MAX));
}
