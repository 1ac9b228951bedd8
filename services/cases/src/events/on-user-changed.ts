import { userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { UserRows } from '../domain/saved-case-store.ts';

/**
 * Pauses what a plan does not include: automated monitoring is for pro users: without a pro plan it is paused, and the chosen frequencies are kept until the
 * plan returns. The plan of the latest change counts, in whatever order they arrive.
 */
export function onUserChanged(users: UserRows): EventHandler {
  return defineHandler('cases', userChanged, ({ userId, tier, version }, { timeMs }, tx) =>
    users.followPlan(tx, userId, { tier, version, atMs: timeMs }),
  );
}
