import { subscriptionChanged, userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventBus, type EventHandler } from '@casewatch/messaging/event-bus';
import type { UserRows } from '../domain/store.ts';

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
    async ({ userId, tier, version }, _meta, tx) => {
      const changed = await users.changeTier(tx, userId, { tier, subscriptionVersion: version });
      if (changed) await bus.publish(tx, userChanged, { userId, tier, ...changed, emailChanged: false });
    },
    (changes) => {
      for (const { userId } of changes) forgetSessions(userId);
    },
  );
}
