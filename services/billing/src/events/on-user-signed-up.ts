import { userSignedUp } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { noteUser } from '../data/user-rows.ts';

/** Who a customer at the provider would be: name and e-mail address for receipts. */
export function onUserSignedUp(): EventHandler {
  return defineHandler('billing', userSignedUp, ({ userId, email, firstName, lastName }, _meta, tx) =>
    noteUser(tx, { userId, email, name: `${firstName} ${lastName}` }),
  );
}
