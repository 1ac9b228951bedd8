import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { AdminArea } from '../identity.ts';
import { issueDeviceCookie, knownDeviceId } from '../session/device.ts';
import type { Work } from '../store.ts';
import { type Credentials, checkCredentials } from './admin-credentials.ts';
import type { Administrator } from './administrator.ts';
import {
  type AdminBrowser,
  type OpenedAdmin,
  openFor,
  recordingTooMany,
  recordRefusal,
} from './open-admin-session.ts';

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
  const check = checkCredentials(
    hasher,
    found?.credentials ?? undefined,
    { ...given, nowMs: clock.nowMs() },
    async (factor) => (found ? store.administrators.useSecondFactor(found.id, factor) : false),
  );
  return signInChecked(area, found, given, {
    attempt: (deviceId) => signInThrottle.signIn({ email, address, deviceId }, check),
    isStillThere: async () => true,
    method: 'password and code',
    refused: { reason: 'wrong email, password or code', error: invalidCredentials },
  });
}

/** One way for a named administrator to sign in. */
interface AdminSignIn {
  /** A counted guess; `deviceId`: of a browser that the administrator has signed in with before. */
  attempt(deviceId: string | undefined): Promise<boolean>;
  /** Asked when the administrator is locked. */
  isStillThere(work: Work): Promise<boolean>;
  /** For the audit trail. */
  method: string;
  refused: { reason: string; error: () => AppError };
}

/** Opens the admin area after a right attempt, and records one that was refused. @throws AppError RATE_LIMITED, or as refused */
export async function signInChecked(
  area: AdminArea,
  found: Administrator | undefined,
  browser: AdminBrowser,
  { attempt, isStillThere, method, refused }: AdminSignIn,
): Promise<OpenedAdmin> {
  const { address, deviceCookie } = browser;
  const credentials = found?.credentials ?? undefined;
  const nowMs = area.clock.nowMs();
  const deviceId =
    found && credentials && knownDeviceId(deviceCookie, deviceOwner(found.id, credentials), nowMs);
  const by = { address, administratorId: found?.id };
  const isRight = await recordingTooMany(area, by, () => attempt(deviceId));
  if (!isRight || !found || !credentials) {
    await recordRefusal(area, { ...by, reason: refused.reason });
    throw refused.error();
  }
  return area.store.transaction(async (work) => {
    // Removed, or set up anew, since it was checked.
    const present = await work.administrators.lock(found.id);
    if (present?.credentials?.passwordHash !== credentials.passwordHash) throw refused.error();
    if (!(await isStillThere(work))) throw refused.error();
    const opened = await openFor(area, work, present, browser, { method });
    return { ...opened, deviceCookie: deviceCookieFor(present.id, credentials, nowMs) };
  });
}

/** Returns the cookie by which the administrator's browser is recognized at its next sign-in with the password. */
export function deviceCookieFor(id: string, credentials: Credentials, nowMs: number): string {
  return issueDeviceCookie(deviceOwner(id, credentials), nowMs);
}

/** Whose device cookies they are. */
const deviceOwner = (id: string, { deviceKey }: Credentials) => ({
  id: `administrator:${id}`,
  deviceKey,
});

function invalidCredentials(): AppError {
  return new AppError('INVALID_CREDENTIALS', {
    en: 'The email address, the password or the code is wrong.',
  });
}
