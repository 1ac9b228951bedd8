import {
  accountMailRequested,
  planMilestoneReached,
  savedCasesChanged,
  statusChanged,
  userDeleted,
  userSessionsEnded,
} from '@casewatch/contracts/events';
import { defineBatchHandler, defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { LiveSignal } from '@casewatch/messaging/live/live-signal';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import { casesKey, usersOf } from '../domain/live-key.ts';
import type { NotifyUsers, ReceivedRows } from '../domain/notify-users.ts';

/** Has the five seconds of the objective as a bound. */
const DELAY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

interface Deps {
  rows: ReceivedRows;
  notifyUsers: NotifyUsers;
  signal: LiveSignal;
  clock: Clock;
  meter: Meter;
  /** Whether e-mails are sent here. */
  byEmail: boolean;
  notifySenders: () => void;
}

/** Every event that this service handles, each in the transaction that marks it as handled. */
export function consumes(deps: Deps): EventHandler[] {
  const { rows, notifyUsers, signal, clock, byEmail, notifySenders } = deps;
  const delay = deps.meter.createHistogram('casewatch_change_to_notification_seconds', {
    description: "From the agency's answer to the notification being stored and pushed.",
    unit: 's',
    advice: { explicitBucketBoundaries: DELAY_SECONDS },
  });
  return [
    // Notifies the watcher of a case, and measures how long that took.
    defineBatchHandler(
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
    ),
    defineBatchHandler('notifications', planMilestoneReached, notifyUsers.record, notifyUsers.committed),
    // Notifies the user's open browsers, on every device, that the saved cases are others now. Nothing is stored.
    defineBatchHandler(
      'notifications',
      savedCasesChanged,
      (events, tx) => signal.publish(tx, usersOf(events.map(({ payload }) => payload)).map(casesKey)),
      (changes) => signal.committed(usersOf(changes).map(casesKey)),
    ),
    // Queues the e-mail, once per request, and notifies the job that sends it.
    defineHandler(
      'notifications',
      accountMailRequested,
      async ({ mailId }, _meta, tx) => {
        if (byEmail) await rows.queueAccountMail(tx, mailId, await databaseTimeMs(tx, clock));
      },
      notifySenders,
    ),
    // Erases the user's notifications; later ones are not stored.
    defineHandler('notifications', userDeleted, ({ userId }, _meta, tx) =>
      rows.eraseUser(tx, userId, clock.nowMs()),
    ),
    // Removes the devices of sessions that ended. However late it comes, nothing is sent to them until then: each message asks identity
    // first (`createPushSender`).
    defineHandler('notifications', userSessionsEnded, ({ userId, deviceSessionIds }, _meta, tx) =>
      rows.removeDevicesOfSessions(tx, userId, deviceSessionIds, clock.nowMs()),
    ),
  ];
}
