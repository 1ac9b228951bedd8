import { statusChanged } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import type { NotifyUsers } from '../domain/notify-users.ts';

/** Has the five seconds of the objective as a bound. */
const DELAY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

/** Notifies the watcher of a case, and measures how long that took. */
export function onStatusChanged(notifyUsers: NotifyUsers, clock: Clock, meter: Meter): EventHandler {
  const delay = meter.createHistogram('casewatch_change_to_notification_seconds', {
    description: "From the agency's answer to the notification being stored and pushed.",
    unit: 's',
    advice: { explicitBucketBoundaries: DELAY_SECONDS },
  });
  return defineBatchHandler(
    'notifications',
    statusChanged,
    async (events, tx) => {
      await notifyUsers.record(events, tx);
      for (const { payload } of events) {
        const answeredAtMs = Date.parse(payload.changedAt) + (payload.answerMs ?? 0);
        delay.record((clock.nowMs() - answeredAtMs) / 1e3);
      }
    },
    notifyUsers.committed,
  );
}
