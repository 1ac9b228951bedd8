import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { UserRows } from '../domain/store.ts';

/** Erases the user's answers; later ones are not stored. */
export function onUserDeleted({ users, clock }: { users: UserRows; clock: Clock }): EventHandler {
  return defineHandler('surveys', userDeleted, ({ userId }, _meta, tx) =>
    users.erase(tx, userId, clock.nowMs()),
  );
}
