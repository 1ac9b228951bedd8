import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import type { Notification, StatusNotification } from '@casewatch/contracts/notifications';

/** A notification with its number among those of its recipient, in the order of their arrival. */
export interface NumberedNotification {
  seq: number;
  notification: Notification;
}

export interface NotificationSelection {
  userId: string;
  /** Undefined: those of all cases. */
  receiptNumbers?: readonly string[] | undefined;
}

/** What the use cases need of the database. Every method sees the notifications of the named user only. */
export interface Store {
  /** Newest change first, at most `limit`, only those older than `before` if given. */
  list(userId: string, page: { limit: number; before: string | undefined }): Promise<Notification[]>;
  /** About cases: of the named receipt numbers, or of all; newest change first, those whose `order` is before, at most `limit`. */
  listForExport(
    selection: NotificationSelection,
    page: { before: string | undefined; limit: number },
  ): Promise<StatusNotification[]>;
  countForExport(selection: NotificationSelection): Promise<number>;
  countUnread(userId: string): Promise<number>;
  /** Undefined when the user has no such notification. */
  markRead(userId: string, id: string): Promise<Notification | undefined>;
  /** Resolves to how many were unread. */
  markAllRead(userId: string): Promise<number>;
  /** The `seq` of the last notification that came for the user, 0 for none; undefined when the user was deleted. */
  lastSeq(userId: string): Promise<number | undefined>;
  /** For several users at once, what came after the given `seq`: in the order of arrival per user, at most `limit` each. */
  newerThan(followers: ReadonlyMap<string, number>, limit: number): Promise<NumberedNotification[]>;
}

/** What users chose about notifications. */
export interface SettingsStore {
  /** The defaults for a user who chose nothing. */
  read(userId: string): Promise<NotificationSettings>;
  readAll(userIds: readonly string[]): Promise<(userId: string) => NotificationSettings>;
  /**
   * Changes the settings in one transaction, one change of a user at a time, and schedules the digests that they ask for.
   * Resolves to the changed settings; of a deleted user nothing is kept.
   */
  change(
    userId: string,
    change: (before: NotificationSettings) => NotificationSettings,
    nowMs: number,
  ): Promise<NotificationSettings>;
}
