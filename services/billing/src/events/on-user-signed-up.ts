import { userSignedUp } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { recordUser } from '../data/user-rows.ts';

/** Records name and email address for a customer at the provider, for receipts. */
export function onUserSignedUp(): EventHandler {
  return defineHandler('billing', userSignedUp, ({ userId, email, firstName, lastName }, _meta, tx) =>
    recordUser(tx, { userId, email, name: `${firstName} ${lastName}` }),
  );
}
