import { checkDeviceSession, grantDeviceSession } from '@casewatch/contracts/device-sessions';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';

/** A session of a user; a device belongs to the one in which it subscribed last. */
export interface DeviceSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** What identity says about the sessions of devices, at this moment. */
export interface DeviceSessions {
  /** Lets messages go to devices of the session until it is ended. False: it is over. @throws AppError UNAVAILABLE */
  grant(session: { userId: string; sessionId: string }): Promise<boolean>;
  /** Whether messages may go to devices of the session. @throws AppError UNAVAILABLE */
  isGranted(session: DeviceSession): Promise<boolean>;
}

export function createDeviceSessions(services: ServiceClient): DeviceSessions {
  return {
    grant: async ({ userId, sessionId }) =>
      (await services.call(grantDeviceSession, { body: { userId, sessionId } })).granted,
    isGranted: async ({ userId, sessionId }) =>
      (await services.call(checkDeviceSession, { body: { userId, sessionId } })).granted,
  };
}
