import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { ReceivedRows } from '../domain/notify-users.ts';

/** Erases the user's notifications; later ones are not stored. */
export function onUserDeleted(rows: ReceivedRows, clock: Clock): EventHandler {
  return defineHandler('notifications', userDeleted, ({ userId }, _meta, tx) =>
    rows.eraseUser(tx, userId, clock.nowMs()),
  );
}
