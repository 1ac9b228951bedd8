import { userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventBus, type EventHandler } from '@casewatch/messaging/event-bus';
import { followPlan } from '../data/follow-plan.ts';
import { publishWatches } from '../data/publish-watches.ts';

/**
 * Pauses what a plan does not include: automated monitoring is for pro users: without a pro plan it is paused, and the chosen frequencies are kept until the
 * plan returns. The plan of the latest change counts, in whatever order they arrive.
 */
export function onUserChanged(bus: EventBus): EventHandler {
  return defineHandler('cases', userChanged, async ({ userId, tier, version }, { timeMs }, tx) => {
    const changed = await followPlan(tx, userId, { tier, version, atMs: timeMs });
    await publishWatches(tx, bus, userId, changed);
  });
}
