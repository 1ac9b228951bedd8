import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Invalidation } from '@casewatch/shared-state/invalidation/invalidation';

/** Ends the streams and the gateways' cached sessions of an account that no request of its owner deleted. */
export function onUserDeleted(invalidation: Pick<Invalidation, 'publish'>): EventHandler {
  return defineHandler('identity', userDeleted, async ({ userId }) => invalidation.publish({ userId }));
}
