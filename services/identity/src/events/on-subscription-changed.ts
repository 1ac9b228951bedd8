import { subscriptionChanged, userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventBus, type EventHandler } from '@casewatch/messaging/event-bus';
import { changeTier } from '../data/change-tier.ts';

/** What a subscription entitles to is the account's tier; the other services hear of it when it is another. */
export function onSubscriptionChanged(bus: EventBus): EventHandler {
  return defineHandler('identity', subscriptionChanged, async ({ userId, tier }, { timeMs }, tx) => {
    const changed = await changeTier(tx, userId, { tier, atMs: timeMs });
    if (changed) await bus.publish(tx, userChanged, { userId, name: changed.name, tier });
  });
}
