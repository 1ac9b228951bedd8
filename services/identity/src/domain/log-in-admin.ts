import { adminActed } from '@casewatch/contracts/events';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { AdminArea } from './admin-area.ts';
import { networkHash, openAdminSession } from './admin-session.ts';
import type { Passcode } from './passcode.ts';
import { hashSid } from './session.ts';

export interface AdminLogIn {
  passcode: string;
  address: string;
  /** The admin session this browser had, if any: it ends. */
  oldSid: string | undefined;
}

/**
 * Opens the admin area; resolves to the cookie's value. Every attempt goes to the audit trail with its outcome and
 * address, never with what was typed.
 * @throws AppError INVALID_PASSCODE, ADMIN_OFF, RATE_LIMITED or UNAVAILABLE
 */
export async function logInAdmin(area: AdminArea, attempt: AdminLogIn): Promise<string> {
  const passcode = area.passcode;
  if (!passcode) {
    await recordRefusal(area, attempt, 'the admin area is off');
    throw new AppError('ADMIN_OFF', 'The admin area is off. Set ADMIN_PASSCODE to turn it on.');
  }
  if (!(await checkPasscode(area, passcode, attempt))) {
    await recordRefusal(area, attempt, 'wrong passcode');
    throw new AppError('INVALID_PASSCODE', 'Invalid passcode');
  }
  return open(area, passcode, attempt);
}

async function checkPasscode(area: AdminArea, passcode: Passcode, attempt: AdminLogIn): Promise<boolean> {
  const { address } = attempt;
  const isKnown = await area.store.adminSessions.isKnownNetwork(networkHash(address));
  try {
    return await area.throttle.passcode({ address, isKnown }, () => passcode.matches(attempt.passcode));
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_LIMITED') {
      await recordRefusal(area, attempt, 'too many tries');
    }
    throw error;
  }
}

function open(
  { store, clock, lifetime }: AdminArea,
  { fingerprint }: Passcode,
  { address, oldSid }: AdminLogIn,
): Promise<string> {
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
      address,
      details: {},
    });
    return sid;
  });
}

function recordRefusal({ store }: AdminArea, { address }: AdminLogIn, reason: string): Promise<void> {
  return store.transaction(({ publish }) =>
    publish(adminActed, {
      action: 'session.refused',
      subject: 'session',
      success: false,
      address,
      details: { reason },
    }),
  );
}
