import { userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Invalidation } from '@casewatch/shared-state/invalidation/invalidation';

/**
 * Invalidates the gateways' cached sessions, which hold name and tier. Triggered by identity's own event because that
 * is delivered only after the change is committed.
 */
export function onUserChanged(invalidation: Pick<Invalidation, 'publish'>): EventHandler {
  return defineHandler('identity', userChanged, async ({ userId }) => invalidation.publish({ userId }));
}
