import { userDeleted, userSessionsEnded } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';

/**
 * Ends the streams and the gateways' cached sessions of an account that no request of its owner deleted, or whose sessions ended,
 * also when the process that did it died before its answer.
 */
export function onSessionsEnded(forgetSessions: (userId: string) => void): EventHandler[] {
  return [
    defineHandler('identity', userDeleted, async ({ userId }) => forgetSessions(userId)),
    defineHandler('identity', userSessionsEnded, async ({ userId }) => forgetSessions(userId)),
  ];
}
