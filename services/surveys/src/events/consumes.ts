import { userDeleted, userLoggedIn } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { UserRows } from '../domain/store.ts';

/** Every event that this service handles, each in the transaction that marks it as handled. */
export const consumes = (users: UserRows, clock: Clock): EventHandler[] => [
  // For surveys shown by login count.
  defineHandler('surveys', userLoggedIn, ({ userId, loginCount }, _meta, tx) =>
    users.countLogin(tx, userId, loginCount),
  ),
  // Erases the user's answers; later ones are not stored.
  defineHandler('surveys', userDeleted, ({ userId }, _meta, tx) => users.erase(tx, userId, clock.nowMs())),
];
