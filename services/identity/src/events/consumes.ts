import {
  subscriptionChanged,
  userChanged,
  userDeleted,
  userSessionsEnded,
} from '@casewatch/contracts/events';
import { defineHandler, type EventBus, type EventHandler } from '@casewatch/messaging/event-bus';
import type { UserRows } from '../domain/store.ts';

/** The payment provider's states of an unpaid renewal: https://docs.stripe.com/api/subscriptions/object#subscription_object-status. */
const UNPAID: readonly string[] = ['past_due', 'unpaid'];

interface Deps {
  users: UserRows;
  bus: EventBus;
  /** Makes the gateways forget the sessions that they cache, and end their streams where they are over. */
  forgetSessions: (userId: string) => void;
}

/** Every event that this service handles, each in the transaction that marks it as handled. */
export const consumes = ({ users, bus, forgetSessions }: Deps): EventHandler[] => [
  // Sets the account's tier to what the subscription entitles to, and whether a payment failed; publishes a change of the tier.
  defineHandler(
    'identity',
    subscriptionChanged,
    async ({ userId, tier, status, version }, _meta, tx) => {
      const paymentFailed = UNPAID.includes(status);
      const changed = await users.changePlan(tx, userId, {
        tier,
        paymentFailed,
        subscriptionVersion: version,
      });
      if (changed) await bus.publish(tx, userChanged, { userId, tier, ...changed, emailChanged: false });
    },
    (changes) => {
      for (const { userId } of changes) forgetSessions(userId);
    },
  ),
  // Of an account that no request of its owner deleted, or whose sessions ended, also when the process that did it died before its answer.
  defineHandler('identity', userDeleted, async ({ userId }) => forgetSessions(userId)),
  defineHandler('identity', userSessionsEnded, async ({ userId }) => forgetSessions(userId)),
];
