import type { CaseDateKind } from '@casewatch/contracts/case-date-kinds';
import type { PlanEndReason, PlanMilestone } from '@casewatch/contracts/limits';
import type { PriceChange } from '@casewatch/contracts/translations';
import type { LiveSignal } from '@casewatch/messaging/live/live-signal';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Channel } from './choose-deliveries.ts';
import { usersOf } from './live-key.ts';
import { notificationsSince, toNotify } from './retention.ts';

/** What a user is notified of, by the event that says so. */
export type Notifying = {
  eventId: string;
  userId: string;
} & (
  | {
      receiptNumber: string;
      oldStatus?: string | undefined;
      newStatus: string;
      /** The number of the agency call that noticed the change: what orders it. */
      callNumber: string;
    }
  | {
      receiptNumber: string;
      dateId: string;
      dateKind: CaseDateKind;
      day: string;
      label: string | null;
    }
  | {
      milestone: PlanMilestone;
      reason?: PlanEndReason | undefined;
      effectiveAt: string;
      priceChange?: PriceChange | undefined;
    }
);

/** What events change, each in the transaction that receives it. */
export interface ReceivedRows {
  /**
   * Notifies each user, once per event and in the order given, with the deliveries that they chose; not those who were
   * deleted. Resolves to the users who have something new.
   */
  recordNotifications(
    tx: SqlExecutor,
    rows: readonly Notifying[],
    nowMs: number,
    channels: ReadonlySet<Channel>,
  ): Promise<string[]>;
  /** Queues an e-mail about an account, once per request. */
  queueAccountMail(tx: SqlExecutor, mailId: string, nowMs: number): Promise<void>;
  /** Erases what is stored for the user, and keeps anything from being stored again. */
  eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void>;
  /** Removes the devices of sessions that ended. */
  removeDevicesOfSessions(
    tx: SqlExecutor,
    userId: string,
    sessionIds: readonly string[],
    nowMs: number,
  ): Promise<void>;
}

type Unnumbered<Row> = Row extends Notifying ? Omit<Row, 'eventId'> : never;
interface Received {
  payload: Unnumbered<Notifying>;
  meta: { id: string; timeMs: number };
}

/** Notifies users of what events say: open streams are signaled with the commit, and the senders of this process after it. */
export function createNotifyUsers(options: {
  rows: ReceivedRows;
  signal: LiveSignal;
  clock: Clock;
  /** Those on which notifications leave this installation. */
  channels: ReadonlySet<Channel>;
  /** How long notifications are kept. */
  months: number;
  notifySenders: () => void;
}) {
  const { rows, signal, clock, channels, months, notifySenders } = options;
  return {
    async record(events: readonly Received[], tx: SqlExecutor): Promise<void> {
      const nowMs = await databaseTimeMs(tx, clock);
      const changes = toNotify(events, notificationsSince(nowMs, months));
      await signal.publish(tx, await rows.recordNotifications(tx, changes, nowMs, channels));
    },
    /** Reminds in a transaction of its own what `record` does in that of an event. */
    async remind(reminders: readonly Notifying[], nowMs: number, tx: SqlExecutor): Promise<string[]> {
      const userIds = await rows.recordNotifications(tx, reminders, nowMs, channels);
      await signal.publish(tx, userIds);
      return userIds;
    },
    committed(changes: readonly { userId: string }[]): void {
      signal.committed(usersOf(changes));
      notifySenders();
    },
  };
}
export type NotifyUsers = ReturnType<typeof createNotifyUsers>;
