import { startOfMonth } from '@casewatch/service-kit/runtime/clock';

/** What the removal of old notifications needs of the database. */
export interface NotificationRetention {
  /**
   * Removes up to `limit` notifications from before, with their delivery logs, and as many of the digests that
   * have been sent or abandoned; resolves to how many there were of that of which most were removed.
   */
  removeBefore(beforeMs: number, limit: number): Promise<number>;
}

/** Returns the first moment (UTC) of which notifications are kept. */
export function notificationsSince(nowMs: number, months: number): number {
  return startOfMonth(nowMs, -months);
}

/**
 * Returns the changes that notify: not those of events that were published before what is kept, whose notifications may have been
 * removed. An event without a time notifies.
 */
export function toNotify<Change>(
  events: readonly { payload: Change; meta: { id: string; timeMs: number } }[],
  sinceMs: number,
): (Change & { eventId: string })[] {
  return events
    .filter(({ meta }) => !(meta.timeMs < sinceMs))
    .map(({ payload, meta }) => ({ ...payload, eventId: meta.id }));
}
