import type { Notification } from '@casewatch/contracts/notifications';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Store } from './store.ts';

export interface NotificationPage {
  notifications: Notification[];
  /** Of all notifications of the user. */
  unread: number;
}

/** Returns a page of the user's notifications, newest first, and how many are unread in all. */
export async function listNotifications(
  store: Store,
  userId: string,
  page: { limit: number; before?: string | undefined },
): Promise<NotificationPage> {
  const [notifications, unread] = await Promise.all([
    store.list(userId, { limit: page.limit, before: page.before }),
    store.countUnread(userId),
  ]);
  return { notifications, unread };
}

/** Marks a notification as read; idempotent. @throws AppError NOT_FOUND, also for another user's */
export async function markRead(store: Store, userId: string, id: string): Promise<Notification> {
  const notification = await store.markRead(userId, id);
  if (!notification) throw new AppError('NOT_FOUND', 'no-such-notification');
  return notification;
}
