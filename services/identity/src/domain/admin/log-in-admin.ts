import { adminActed } from '@casewatch/contracts/events';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { addressPrefix } from '@casewatch/service-kit/http/limit-key';
import type { AdminArea } from '../identity.ts';
import { issueDeviceCookie, knownDeviceId } from '../session/device.ts';
import { hashSid } from '../session/session.ts';
import { networkHash, openAdminSession } from './admin-session.ts';
import {
  type AdminBrowser,
  type OpenedAdmin,
  recordingTooMany,
  recordRefusal,
} from './open-admin-session.ts';
import { PASSCODE_ADMIN, type Passcode } from './passcode.ts';

export interface AdminLogIn extends AdminBrowser {
  passcode: string;
}

/**
 * Opens the admin area with the passcode. Every attempt goes to the audit trail with its outcome and network, never
 * with what was typed.
 * @throws AppError INVALID_PASSCODE, ADMIN_OFF, RATE_LIMITED or UNAVAILABLE
 */
export async function logInAdmin(area: AdminArea, attempt: AdminLogIn): Promise<OpenedAdmin> {
  const passcode = area.passcode;
  if (!passcode) {
    await recordRefusal(area, { address: attempt.address, reason: 'the admin area is off' });
    throw new AppError('ADMIN_OFF', { en: area.offAdvice });
  }
  if (!(await checkPasscode(area, passcode, attempt))) {
    await recordRefusal(area, { address: attempt.address, reason: 'wrong passcode' });
    throw new AppError('INVALID_PASSCODE');
  }
  return open(area, passcode, attempt);
}

async function checkPasscode(area: AdminArea, passcode: Passcode, attempt: AdminLogIn): Promise<boolean> {
  const { address } = attempt;
  const isKnown = await area.store.adminSessions.isKnownNetwork(networkHash(address));
  const deviceId = knownDeviceId(attempt.deviceCookie, passcode.deviceOwner, area.clock.nowMs());
  return recordingTooMany(area, { address }, () =>
    area.throttle.passcode({ address, isKnown, deviceId }, () => passcode.matches(attempt.passcode)),
  );
}

function open(
  { store, clock, lifetime }: AdminArea,
  { fingerprint, deviceOwner }: Passcode,
  { address, oldSid }: AdminLogIn,
): Promise<OpenedAdmin> {
  return store.transaction(async ({ adminSessions, publish }) => {
    const nowMs = clock.nowMs();
    if (oldSid) await adminSessions.end(hashSid(oldSid), nowMs);
    const { sid, session } = openAdminSession({ passcodeFingerprint: fingerprint, address }, nowMs, lifetime);
    await adminSessions.add(session);
    await publish(adminActed, {
      action: 'session.opened',
      subject: 'session',
      success: true,
      sessionId: session.id,
      actor: PASSCODE_ADMIN.name,
      role: PASSCODE_ADMIN.role,
      address: addressPrefix(address),
      details: {},
    });
    return { admin: PASSCODE_ADMIN, sid, deviceCookie: issueDeviceCookie(deviceOwner, nowMs) };
  });
}
