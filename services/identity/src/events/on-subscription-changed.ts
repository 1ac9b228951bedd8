import { subscriptionChanged, userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventBus, type EventHandler } from '@casewatch/messaging/event-bus';
import { changeTier } from '../data/user-rows.ts';

/** Sets the account's tier to what the subscription entitles to, and publishes a change of it. */
export function onSubscriptionChanged(bus: EventBus): EventHandler {
  return defineHandler('identity', subscriptionChanged, async ({ userId, tier, version }, _meta, tx) => {
    const changed = await changeTier(tx, userId, { tier, subscriptionVersion: version });
    if (changed) await bus.publish(tx, userChanged, { userId, tier, ...changed, emailChanged: false });
  });
}
