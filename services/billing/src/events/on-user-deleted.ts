import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { UserRows } from '../domain/store.ts';

/** Erases the user's billing data here, and ends what the user has at the provider as soon as the provider answers. */
export function onUserDeleted({ users, clock }: { users: UserRows; clock: Clock }): EventHandler {
  return defineHandler('billing', userDeleted, ({ userId }, _meta, tx) =>
    users.erase(tx, userId, clock.nowMs()),
  );
}
