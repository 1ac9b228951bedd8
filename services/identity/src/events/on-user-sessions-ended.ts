import { userSessionsEnded } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Invalidation } from '@casewatch/shared-state/invalidation/invalidation';

/** Ends the streams and the gateways' cached sessions also when the process that ended them died before its answer. */
export function onUserSessionsEnded(invalidation: Pick<Invalidation, 'publish'>): EventHandler {
  return defineHandler('identity', userSessionsEnded, async ({ userId }) => invalidation.publish({ userId }));
}
