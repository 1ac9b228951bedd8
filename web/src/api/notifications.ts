import type { Notification } from '@casewatch/contracts/notifications';
import { type QueryClient, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { notificationsQueryKey, refreshAfter } from './notification-data.ts';
import { notifyNotificationsChanged } from './notification-stream.ts';
import { readUnlessSignedOut } from './user-data.ts';

const POLL_EVERY_MS = 30_000;

const notificationsQuery = queryOptions({
  queryKey: notificationsQueryKey,
  queryFn: async ({ client, signal }) => {
    const list = await readUnlessSignedOut(client, () =>
      callApi(endpoints.listNotifications, { query: {}, signal }),
    );
    const known = client.getQueryData<Notification[]>(notificationsQueryKey);
    const news = list.filter(({ id }) => known?.every((one) => one.id !== id));
    // After a sleep the list is often faster than the stream, which then brings nothing new.
    refreshAfter(client, news);
    return list;
  },
});

/** Returns the newest notifications of the signed-in user, newest first; looked up every 30 seconds whatever the stream brings. */
export function useNotifications() {
  return useQuery({ ...notificationsQuery, refetchInterval: POLL_EVERY_MS });
}

/** Returns how many of them are unread, as far as is known: asks for nothing by itself. */
export function useUnreadCount(): number {
  return useQuery({ ...notificationsQuery, enabled: false, select: countUnread }).data ?? 0;
}

export function countUnread(notifications: readonly Notification[]): number {
  return notifications.filter(({ read }) => !read).length;
}

/** Shows the notification as read at once; the server's list has the last word. */
export function useMarkRead(userId: string) {
  return useMutation({
    mutationFn: (id: string) => callApi(endpoints.markNotificationRead, { params: { id } }),
    onMutate: (id, { client }) => markRead(client, (notification) => notification.id === id),
    onSuccess: () => notifyNotificationsChanged(userId),
    onError: (_error, _id, _before, { client }) => refresh(client),
  });
}

/** Marks all as read; what comes while the request is in flight stays unread here; the server's list has the last word. */
export function useMarkAllRead(userId: string) {
  return useMutation({
    mutationFn: () => callApi(endpoints.markAllNotificationsRead),
    onMutate: (_none, { client }) =>
      new Set(client.getQueryData<Notification[]>(notificationsQueryKey)?.map(({ id }) => id)),
    onSuccess: async (_answer, _none, known, { client }) => {
      await markRead(client, ({ id }) => known.has(id));
      notifyNotificationsChanged(userId);
    },
    onSettled: (_answer, _error, _none, _known, { client }) => refresh(client),
  });
}

async function markRead(client: QueryClient, which: (notification: Notification) => boolean): Promise<void> {
  // A pending answer would make it unread again.
  await client.cancelQueries({ queryKey: notificationsQueryKey });
  client.setQueryData<Notification[]>(notificationsQueryKey, (list) =>
    list?.map((notification) => (which(notification) ? { ...notification, read: true } : notification)),
  );
}

function refresh(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: notificationsQueryKey });
}
