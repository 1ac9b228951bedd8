import { userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { UserRows } from '../domain/store.ts';

/** Makes the customer due whose name or address is another one now. */
export function onUserChanged({ users, clock }: { users: UserRows; clock: Clock }): EventHandler {
  return defineHandler('billing', userChanged, (changed, _meta, tx) =>
    users.recordChanged(tx, changed, clock.nowMs()),
  );
}
