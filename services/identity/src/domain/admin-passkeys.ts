import {
  PASSKEYS_MAX,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCreation,
  type Passkey as PasskeyItem,
  type PasskeyRequest,
} from '@casewatch/contracts/passkeys';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { checkCredentials } from './admin-credentials.ts';
import { knownDeviceId } from './device.ts';
import type { AdminArea } from './identity.ts';
import { type Manager, record } from './manage-administrators.ts';
import { type AdminBrowser, type OpenedAdmin, openFor, recordRefusal } from './open-admin-session.ts';
import { type Passkey, passkeyRefused, toPasskeyItem } from './passkey.ts';
import { deviceCookieFor, deviceOwner } from './sign-in-administrator.ts';
import type { Passkeys } from './store.ts';

/** An administrator who manages their own passkeys. */
export type Self = Manager & { actorId: string };

/** A challenge that any administrator's passkey may answer. @throws AppError RATE_LIMITED */
export async function startAdminPasskeySignIn(
  { signInThrottle, ceremonies }: AdminArea,
  address: string,
): Promise<PasskeyRequest> {
  await signInThrottle.passkeyChallenge(address);
  return ceremonies.startAssertion({ purpose: 'admin-sign-in' });
}

/**
 * Opens the admin area for the administrator whose passkey answers; only while they have a password here, whose end is
 * the end of every way in. Every failure reads the same and goes to the audit trail.
 * @throws AppError INVALID_CREDENTIALS or RATE_LIMITED
 */
export async function signInAdminWithPasskey(
  area: AdminArea,
  { assertion, ...browser }: AdminBrowser & { assertion: PasskeyAssertion },
): Promise<OpenedAdmin> {
  const { store, signInThrottle, ceremonies, clock } = area;
  const { address } = browser;
  const passkey = await store.passkeys.byCredentialId(assertion.id);
  const id = passkey && 'administratorId' in passkey.owner ? passkey.owner.administratorId : undefined;
  const found = id === undefined ? undefined : await find(area, id);
  const credentials = found?.credentials ?? undefined;
  const nowMs = clock.nowMs();
  const deviceId =
    found && credentials && knownDeviceId(browser.deviceCookie, deviceOwner(found.id, credentials), nowMs);
  const refuse = (reason: string) => recordRefusal(area, { address, reason, administratorId: found?.id });
  let isRight: boolean;
  try {
    isRight = await signInThrottle.passkeySignIn({ credentialId: assertion.id, address, deviceId }, (guess) =>
      guess.count(() =>
        ceremonies.verifyAssertion(
          { purpose: 'admin-sign-in' },
          assertion,
          credentials ? passkey : undefined,
        ),
      ),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_LIMITED') await refuse('too many tries');
    throw error;
  }
  if (!isRight || !found || !credentials) {
    await refuse('wrong or unknown passkey');
    throw invalidPasskey();
  }
  return store.transaction(async (work) => {
    // The administrator was removed or set up anew, or the passkey removed, since it was checked.
    const present = await work.administrators.lock(found.id);
    if (present?.credentials?.passwordHash !== credentials.passwordHash) throw invalidPasskey();
    if (!(await work.passkeys.byCredentialId(assertion.id))) throw invalidPasskey();
    const opened = await openFor(area, work, present, browser, { method: 'passkey' });
    return { ...opened, deviceCookie: deviceCookieFor(present.id, credentials, nowMs) };
  });
}

/** Begins to add a passkey. @throws AppError WRONG_PASSWORD, PASSKEY_LIMIT or RATE_LIMITED */
export async function startAdminPasskeyRegistration(
  area: AdminArea,
  { actorId: id }: Self,
  given: { password: string; code: string },
): Promise<PasskeyCreation> {
  const { store, hasher, signInThrottle, ceremonies, clock } = area;
  const found = await find(area, id);
  const check = checkCredentials(
    hasher,
    found?.credentials ?? undefined,
    { ...given, nowMs: clock.nowMs() },
    (factor) => store.administrators.useSecondFactor(id, factor),
  );
  if (!(await signInThrottle.passwordCheck(id, check)) || !found) throw wrongProof();
  const owner = { administratorId: id };
  await refuseMore(store.passkeys, owner);
  const name = `${found.email} (admin area)`;
  const creation = await ceremonies.startRegistration(owner, {
    name,
    displayName: found.name ?? found.email,
  });
  // What ends challenges locks the administrator: it ends the stored one, or is seen here.
  if ((await find(area, id))?.credentials?.deviceKey !== found.credentials?.deviceKey) throw wrongProof();
  return creation;
}

/** Adds the passkey that answers the challenge of a registration. @throws AppError PASSKEY_REFUSED or PASSKEY_LIMIT */
export async function addAdminPasskey(
  area: AdminArea,
  by: Self,
  { attestation, name }: { attestation: PasskeyAttestation; name: string },
): Promise<PasskeyItem> {
  const { store, clock, ceremonies } = area;
  const owner = { administratorId: by.actorId };
  const before = await find(area, by.actorId);
  const verified = await ceremonies.finishRegistration(owner, attestation);
  if (!verified) throw passkeyRefused();
  return store.transaction(async (work) => {
    const found = await work.administrators.lock(by.actorId);
    // New credentials end the passkeys before them: one that was verified meanwhile is of those.
    if (!found?.credentials || found.credentials.deviceKey !== before?.credentials?.deviceKey) {
      throw passkeyRefused();
    }
    await refuseMore(work.passkeys, owner);
    const nowMs = clock.nowMs();
    const passkey: Passkey = {
      ...verified,
      id: uuidV7(nowMs),
      owner,
      name,
      createdAtMs: nowMs,
      lastUsedAtMs: null,
    };
    if (!(await work.passkeys.add(passkey))) throw passkeyRefused();
    await record(work, by, 'administrator.passkey-added', found, { name });
    return toPasskeyItem(passkey);
  });
}

/** A sign-in with it at the same time opens the area before, or not at all. @throws AppError NOT_FOUND */
export function removeAdminPasskey({ store }: AdminArea, by: Self, id: string): Promise<void> {
  const owner = { administratorId: by.actorId };
  return store.transaction(async (work) => {
    await work.administrators.lock(by.actorId);
    const passkey = (await work.passkeys.listOf(owner)).find((one) => one.id === id);
    if (!passkey || !(await work.passkeys.remove(owner, id))) {
      throw new AppError('NOT_FOUND', 'This passkey has been removed already.');
    }
    await record(work, by, 'administrator.passkey-removed', { id: by.actorId }, { name: passkey.name });
  });
}

function find({ store }: AdminArea, id: string) {
  return store.transaction(({ administrators }) => administrators.lock(id));
}

async function refuseMore(passkeys: Passkeys, owner: { administratorId: string }): Promise<void> {
  if ((await passkeys.listOf(owner)).length < PASSKEYS_MAX) return;
  const advice = `You have ${PASSKEYS_MAX} passkeys. Remove one that you no longer use, then add another.`;
  throw new AppError('PASSKEY_LIMIT', advice);
}

function wrongProof(): AppError {
  return new AppError('WRONG_PASSWORD', 'The password or the code is wrong. Each code works once.');
}

function invalidPasskey(): AppError {
  return new AppError(
    'INVALID_CREDENTIALS',
    'This passkey does not open the admin area. Try another one, or sign in with your password and code.',
  );
}
