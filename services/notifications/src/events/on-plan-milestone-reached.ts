import { planMilestoneReached } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { LiveSignal } from '@casewatch/messaging/live/live-signal';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { recordNotifications } from '../data/record-notifications.ts';
import type { Channel } from '../domain/choose-deliveries.ts';
import { usersOf } from '../domain/live-key.ts';
import { notificationsSince, toNotify } from '../domain/retention.ts';

/** Notifies the user of what happened to the plan; open streams are signaled with the commit, and the senders of this process after it. */
export function onPlanMilestoneReached(options: {
  signal: LiveSignal;
  clock: Clock;
  /** Those on which notifications leave this installation. */
  channels: ReadonlySet<Channel>;
  /** How long notifications are kept. */
  months: number;
  notifySenders: () => void;
}): EventHandler {
  const { signal, clock, channels, months, notifySenders } = options;
  return defineBatchHandler(
    'notifications',
    planMilestoneReached,
    async (events, tx) => {
      const nowMs = await databaseTimeMs(tx, clock);
      const rows = toNotify(events, notificationsSince(nowMs, months));
      await signal.publish(tx, await recordNotifications(tx, rows, nowMs, channels));
    },
    (rows) => {
      signal.committed(usersOf(rows));
      notifySenders();
    },
  );
}
