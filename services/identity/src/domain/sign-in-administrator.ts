import type { AdminIdentity } from '@casewatch/contracts/admin-session';
import { adminActed } from '@casewatch/contracts/events';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { addressPrefix } from '@casewatch/service-kit/http/limit-key';
import { type Credentials, checkCredentials } from './admin-credentials.ts';
import { openAdminSession } from './admin-session.ts';
import type { Administrator } from './administrator.ts';
import { issueDeviceCookie, knownDeviceId } from './device.ts';
import type { AdminArea } from './identity.ts';
import { hashSid } from './session.ts';
import type { Work } from './store.ts';

/** The browser that opens the area. */
export interface AdminBrowser {
  address: string;
  /** The admin session it had, if any: it ends. */
  oldSid: string | undefined;
  /** What it was given when it opened the area before. */
  deviceCookie: string | undefined;
}

/** `sid` and `deviceCookie` are for the cookies and nothing else. */
export interface OpenedAdmin {
  admin: AdminIdentity;
  sid: string;
  deviceCookie: string;
}

/**
 * Opens the admin area for a named administrator. An unknown address, a wrong password and a wrong or used code cost
 * and read the same. Every attempt goes to the audit trail, never with what was typed.
 * @throws AppError INVALID_CREDENTIALS, RATE_LIMITED or UNAVAILABLE
 */
export async function signInAdministrator(
  area: AdminArea,
  given: AdminBrowser & { email: string; password: string; code: string },
): Promise<OpenedAdmin> {
  const { store, hasher, signInThrottle, clock } = area;
  const { email, address } = given;
  const found = await store.administrators.byEmail(email);
  const credentials = found?.credentials ?? undefined;
  const nowMs = clock.nowMs();
  const deviceId =
    found && credentials && knownDeviceId(given.deviceCookie, deviceOwner(found.id, credentials), nowMs);
  const check = checkCredentials(hasher, credentials, { ...given, nowMs }, async (factor) =>
    found ? store.administrators.useSecondFactor(found.id, factor) : false,
  );
  const refuse = (reason: string) => recordRefusal(area, { address, reason, administrator: found });
  let isRight: boolean;
  try {
    isRight = await signInThrottle.signIn({ email, address, deviceId }, check);
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_LIMITED') await refuse('too many tries');
    throw error;
  }
  if (!isRight || !found || !credentials) {
    await refuse('wrong e-mail, password or code');
    throw invalidCredentials();
  }
  return store.transaction(async (work) => {
    // Removed, or set up anew, since the password was checked.
    const present = await work.administrators.lock(found.id);
    if (present?.credentials?.passwordHash !== credentials.passwordHash) throw invalidCredentials();
    return openFor(area, work, present, credentials, given);
  });
}

/** Opens a session of the administrator within a transaction, and says so in the audit trail. */
export async function openFor(
  { clock, lifetime }: AdminArea,
  { administrators, adminSessions, publish }: Work,
  { id, name, role, email }: Administrator,
  credentials: Credentials,
  { address, oldSid }: AdminBrowser,
): Promise<OpenedAdmin> {
  const nowMs = clock.nowMs();
  if (oldSid) await adminSessions.end(hashSid(oldSid), nowMs);
  const { sid, session } = openAdminSession({ administratorId: id, address }, nowMs, lifetime);
  await adminSessions.add(session);
  await administrators.recordSignIn(id, nowMs);
  const admin = { name: name ?? email, role };
  await publish(adminActed, {
    action: 'session.opened',
    subject: 'session',
    success: true,
    sessionId: session.id,
    actor: admin.name,
    actorId: id,
    role,
    address: addressPrefix(address),
    details: {},
  });
  return { admin, sid, deviceCookie: issueDeviceCookie(deviceOwner(id, credentials), nowMs) };
}

const deviceOwner = (id: string, { deviceKey }: Credentials) => ({ id: `administrator:${id}`, deviceKey });

function recordRefusal(
  { store }: AdminArea,
  {
    address,
    reason,
    administrator,
  }: { address: string; reason: string; administrator: Administrator | undefined },
): Promise<void> {
  return store.transaction(({ publish }) =>
    publish(adminActed, {
      action: 'session.refused',
      // Never the address that was typed, which may be anyone's.
      subject: administrator ? `administrator:${administrator.id}` : 'session',
      success: false,
      address: addressPrefix(address),
      details: { reason },
    }),
  );
}

function invalidCredentials(): AppError {
  return new AppError('INVALID_CREDENTIALS', 'The e-mail address, the password or the code is wrong.');
}
