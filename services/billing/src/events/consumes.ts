import { userChanged, userDeleted, userSignedUp } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { UserRows } from '../domain/store.ts';

/** Every event that this service handles, each in the transaction that marks it as handled. */
export const consumes = (users: UserRows, clock: Clock): EventHandler[] => [
  // Records name and email address for a customer at the provider, for receipts.
  defineHandler('billing', userSignedUp, ({ userId, email, firstName, lastName }, _meta, tx) =>
    users.record(tx, { userId, email, name: `${firstName} ${lastName}` }),
  ),
  // Makes the customer due whose name or address is another one now.
  defineHandler('billing', userChanged, (changed, _meta, tx) =>
    users.recordChanged(tx, changed, clock.nowMs()),
  ),
  // Erases the user's billing data here, and ends what the user has at the provider as soon as the provider answers.
  defineHandler('billing', userDeleted, ({ userId }, _meta, tx) => users.erase(tx, userId, clock.nowMs())),
];
