import { startOfMonth } from '@casewatch/service-kit/runtime/clock';

/** What the removal of old notifications needs of the database. */
export interface NotificationRetention {
  /** Removes up to `limit` notifications from before, with their delivery logs; resolves to how many. */
  removeBefore(beforeMs: number, limit: number): Promise<number>;
}

/** The first moment (UTC) of which notifications are kept. An event that was published before it notifies no longer. */
export function notificationsSince(nowMs: number, months: number): number {
  return startOfMonth(nowMs, -months);
}
