import { userSessionsEnded } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { removeDevicesOfSessions } from '../data/push-devices.ts';

/** Stops push messages to the devices of sessions that were ended from elsewhere, such as a lost phone's. */
export function onUserSessionsEnded(): EventHandler {
  return defineHandler('notifications', userSessionsEnded, (ended, { timeMs }, tx) =>
    removeDevicesOfSessions(tx, ended, timeMs),
  );
}
