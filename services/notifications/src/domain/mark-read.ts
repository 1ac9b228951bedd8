import type { Notification } from '@casewatch/contracts/notifications';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Store } from './store.ts';

/** Marks a notification as read; idempotent. @throws AppError NOT_FOUND, also for another user's */
export async function markRead(store: Store, userId: string, id: string): Promise<Notification> {
  const notification = await store.markRead(userId, id);
  if (!notification) throw new AppError('NOT_FOUND', 'There is no such notification.');
  return notification;
}
