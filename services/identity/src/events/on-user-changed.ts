import { userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Invalidation } from '@casewatch/shared-state/invalidation/invalidation';

/**
 * Name and tier are part of what the gateways remember of a session: they forget it, and the next request asks anew.
 * Heard of from our own event, because it only comes once the change is there to be read.
 */
export function onUserChanged(invalidation: Pick<Invalidation, 'publish'>): EventHandler {
  return defineHandler('identity', userChanged, async ({ userId }) => invalidation.publish({ userId }));
}
