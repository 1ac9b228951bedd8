import { subscriptionChanged, userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventBus, type EventHandler } from '@casewatch/messaging/event-bus';
import type { UserRows } from '../domain/store.ts';

/** The payment provider's states of an unpaid renewal: https://docs.stripe.com/api/subscriptions/object#subscription_object-status. */
const UNPAID: readonly string[] = ['past_due', 'unpaid'];

/** Sets the account's tier to what the subscription entitles to, and publishes a change of it. */
export function onSubscriptionChanged({
  users,
  bus,
  forgetSessions,
}: {
  users: UserRows;
  bus: EventBus;
  /** Makes the gateways forget the sessions that they cache, with the tier before. */
  forgetSessions: (userId: string) => void;
}): EventHandler {
  return defineHandler(
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
  );
}
