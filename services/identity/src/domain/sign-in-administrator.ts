import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type Credentials, checkCredentials } from './admin-credentials.ts';
import { issueDeviceCookie, knownDeviceId } from './device.ts';
import type { AdminArea } from './identity.ts';
import { type AdminBrowser, type OpenedAdmin, openFor, recordRefusal } from './open-admin-session.ts';

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
  const refuse = (reason: string) => recordRefusal(area, { address, reason, administratorId: found?.id });
  let isRight: boolean;
  try {
    isRight = await signInThrottle.signIn({ email, address, deviceId }, check);
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_LIMITED') await refuse('too many tries');
    throw error;
  }
  if (!isRight || !found || !credentials) {
    await refuse('wrong email, password or code');
    throw invalidCredentials();
  }
  return store.transaction(async (work) => {
    // Removed, or set up anew, since the password was checked.
    const present = await work.administrators.lock(found.id);
    if (present?.credentials?.passwordHash !== credentials.passwordHash) throw invalidCredentials();
    const opened = await openFor(area, work, present, given, { method: 'password and code' });
    return { ...opened, deviceCookie: deviceCookieFor(present.id, credentials, nowMs) };
  });
}

/** The cookie by which the administrator's browser is recognized at its next sign-in with the password. */
export function deviceCookieFor(id: string, credentials: Credentials, nowMs: number): string {
  return issueDeviceCookie(deviceOwner(id, credentials), nowMs);
}

/** Whose device cookies they are. */
export const deviceOwner = (id: string, { deviceKey }: Credentials) => ({
  id: `administrator:${id}`,
  deviceKey,
});

function invalidCredentials(): AppError {
  return new AppError('INVALID_CREDENTIALS', 'The email address, the password or the code is wrong.');
}
