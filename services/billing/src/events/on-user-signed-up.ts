import { userSignedUp } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { UserRows } from '../domain/store.ts';

/** Records name and email address for a customer at the provider, for receipts. */
export function onUserSignedUp({ users }: { users: UserRows }): EventHandler {
  return defineHandler('billing', userSignedUp, ({ userId, email, firstName, lastName }, _meta, tx) =>
    users.record(tx, { userId, email, name: `${firstName} ${lastName}` }),
  );
}
