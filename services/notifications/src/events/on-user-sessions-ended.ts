import { userSessionsEnded } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { ReceivedRows } from '../domain/notify-users.ts';

/**
 * Removes the devices of sessions that ended. However late it comes, nothing is sent to them until then: each message asks identity
 * first (`createPushSender`).
 */
export function onUserSessionsEnded(rows: ReceivedRows, clock: Clock): EventHandler {
  return defineHandler('notifications', userSessionsEnded, ({ userId, deviceSessionIds }, _meta, tx) =>
    rows.removeDevicesOfSessions(tx, userId, deviceSessionIds, clock.nowMs()),
  );
}
