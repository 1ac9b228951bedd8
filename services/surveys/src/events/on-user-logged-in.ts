import { userLoggedIn } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { UserRows } from '../domain/store.ts';

/** Records a login, for surveys shown by login count. */
export function onUserLoggedIn({ users }: { users: UserRows }): EventHandler {
  return defineHandler('surveys', userLoggedIn, ({ userId, loginCount }, _meta, tx) =>
    users.countLogin(tx, userId, loginCount),
  );
}
