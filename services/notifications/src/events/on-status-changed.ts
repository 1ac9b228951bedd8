import { statusChanged } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { LiveSignal } from '@casewatch/messaging/live/live-signal';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import { recordNotifications } from '../data/record-notifications.ts';
import type { Channel } from '../domain/choose-deliveries.ts';
import { usersOf } from '../domain/live-key.ts';
import { notificationsSince, toNotify } from '../domain/retention.ts';

/** Has the five seconds of the objective as a bound. */
const DELAY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

/** Notifies the watcher of a case; open streams are signaled with the commit, and the senders of this process after it. */
export function onStatusChanged({
  signal,
  clock,
  meter,
  channels,
  months,
  notifySenders,
}: {
  signal: LiveSignal;
  clock: Clock;
  meter: Meter;
  /** Those on which notifications leave this installation. */
  channels: ReadonlySet<Channel>;
  /** How long notifications are kept. */
  months: number;
  notifySenders: () => void;
}): EventHandler {
  const delay = meter.createHistogram('casewatch_change_to_notification_seconds', {
    description: "From the agency's answer to the notification being stored and pushed.",
    unit: 's',
    advice: { explicitBucketBoundaries: DELAY_SECONDS },
  });
  return defineBatchHandler(
    'notifications',
    statusChanged,
    async (events, tx) => {
      const nowMs = await databaseTimeMs(tx, clock);
      const changes = toNotify(events, notificationsSince(nowMs, months));
      const notified = await recordNotifications(tx, changes, nowMs, channels);
      await signal.publish(tx, notified);
      for (const { payload } of events) {
        const answeredAtMs = Date.parse(payload.changedAt) + (payload.answerMs ?? 0);
        delay.record((clock.nowMs() - answeredAtMs) / 1e3);
      }
    },
    (changes) => {
      signal.committed(usersOf(changes));
      notifySenders();
    },
  );
}
