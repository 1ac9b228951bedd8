import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { UserRows } from '../domain/saved-case-store.ts';

/** Erases what is stored for the user. Monitoring ends the watches itself, by the same event. */
export function onUserDeleted(users: UserRows, clock: Clock): EventHandler {
  return defineHandler('cases', userDeleted, ({ userId }, _meta, tx) =>
    users.eraseUser(tx, userId, clock.nowMs()),
  );
}
