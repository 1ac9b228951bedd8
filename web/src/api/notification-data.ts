import type { Notification } from '@casewatch/contracts/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { refreshPlan } from './billing.ts';
import { caseStatusQueryKey, refreshSavedCases } from './saved-case-data.ts';

export const notificationsQueryKey = ['notifications'] as const;
/** As many as the server's list holds. */
const SHOWN_MAX = 50;

/** Reads anew what shows the same changes as notifications that have just come: the saved cases, pages of cases, the plan. */
export function refreshAfter(client: QueryClient, notifications: readonly Notification[]): void {
  if (notifications.length === 0) return;
  refreshSavedCases(client);
  if (notifications.some(({ kind }) => kind === 'plan')) refreshPlan(client);
  for (const one of notifications)
    if (one.kind !== 'plan')
      void client.invalidateQueries({ queryKey: caseStatusQueryKey(one.receiptNumber) });
}

/** Puts a notification that has just come at its place in the list, once: of changes that arrive late, that is not the top. */
export function addNotification(client: QueryClient, notification: Notification): void {
  const list = client.getQueryData<Notification[]>(notificationsQueryKey);
  const isKnown = list?.some(({ id }) => id === notification.id);
  const isFetching = client.isFetching({ queryKey: notificationsQueryKey }) > 0;
  if (!isKnown) refreshAfter(client, [notification]);
  if (list && !isKnown)
    client.setQueryData<Notification[]>(
      notificationsQueryKey,
      inOrder([notification, ...list]).slice(0, SHOWN_MAX),
    );
  // A pending answer may be older than the notification and would remove it again.
  if (!list || isFetching) void client.invalidateQueries({ queryKey: notificationsQueryKey });
}

/** Newest change first, as the server lists them. */
function inOrder(notifications: readonly Notification[]): Notification[] {
  return notifications
    .slice()
    .sort((one, other) => (one.order === other.order ? 0 : one.order < other.order ? 1 : -1));
}
