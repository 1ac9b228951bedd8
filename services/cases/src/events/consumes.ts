import { userChanged, userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { UserRows } from '../domain/saved-case-store.ts';

/** Every event that this service handles, each in the transaction that marks it as handled. */
export const consumes = (users: UserRows, clock: Clock): EventHandler[] => [
  // Automated monitoring is for pro users: without a pro plan it is paused, and the chosen frequencies are kept until the plan
  // returns. The plan of the latest change counts, in whatever order they arrive.
  defineHandler('cases', userChanged, ({ userId, tier, version }, { timeMs }, tx) =>
    users.followPlan(tx, userId, { tier, version, atMs: timeMs }),
  ),
  // Erases what is stored for the user. Monitoring ends the watches itself, by the same event.
  defineHandler('cases', userDeleted, ({ userId }, _meta, tx) => users.eraseUser(tx, userId, clock.nowMs())),
];
