import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  Passkey as PasskeyItem,
  PasskeyRequest,
} from '@casewatch/contracts/passkeys';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { AdminArea } from '../identity.ts';
import { addVerified, passkeyRemoved, refuseMore } from '../passkey/manage-passkeys.ts';
import { passkeyRefused } from '../passkey/passkey.ts';
import { checkCredentials } from './admin-credentials.ts';
import { type Manager, record } from './manage-administrators.ts';
import type { AdminBrowser, OpenedAdmin } from './open-admin-session.ts';
import { signInChecked } from './sign-in-administrator.ts';

/** An administrator who manages their own passkeys. */
export type Self = Manager & { actorId: string };

/** Starts a challenge that any administrator's passkey may answer. @throws AppError RATE_LIMITED */
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
  const { store, signInThrottle, ceremonies } = area;
  const { address } = browser;
  const passkey = await store.passkeys.byCredentialId(assertion.id);
  const id = passkey && 'administratorId' in passkey.owner ? passkey.owner.administratorId : undefined;
  const found = id === undefined ? undefined : await find(area, id);
  return signInChecked(area, found, browser, {
    attempt: (deviceId) =>
      signInThrottle.passkeySignIn({ credentialId: assertion.id, address, deviceId }, (guess) =>
        guess.count(() =>
          ceremonies.verifyAssertion(
            { purpose: 'admin-sign-in' },
            assertion,
            found?.credentials ? passkey : undefined,
          ),
        ),
      ),
    isStillThere: async ({ passkeys }) => (await passkeys.byCredentialId(assertion.id)) !== undefined,
    method: 'passkey',
    refused: { reason: 'wrong or unknown passkey', error: invalidPasskey },
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
    // New credentials end the passkeys before them: one that was verified in the meantime is of those.
    if (!found?.credentials || found.credentials.deviceKey !== before?.credentials?.deviceKey) {
      throw passkeyRefused();
    }
    const added = await addVerified(work, { ...verified, owner, name }, clock.nowMs());
    await record(work, by, 'administrator.passkey-added', found, { name });
    return added;
  });
}

/** Removes a passkey. A sign-in with it at the same time opens the area before, or not at all. @throws AppError NOT_FOUND */
export function removeAdminPasskey({ store }: AdminArea, by: Self, id: string): Promise<void> {
  const owner = { administratorId: by.actorId };
  return store.transaction(async (work) => {
    await work.administrators.lock(by.actorId);
    const passkey = (await work.passkeys.listOf(owner)).find((one) => one.id === id);
    if (!passkey || !(await work.passkeys.remove(owner, id))) throw passkeyRemoved();
    await record(work, by, 'administrator.passkey-removed', { id: by.actorId }, { name: passkey.name });
  });
}

function find({ store }: AdminArea, id: string) {
  return store.transaction(({ administrators }) => administrators.lock(id));
}

function wrongProof(): AppError {
  return new AppError('WRONG_PASSWORD', { en: 'The password or the code is wrong. Each code works once.' });
}

function invalidPasskey(): AppError {
  return new AppError('INVALID_CREDENTIALS', {
    en: 'This passkey does not open the admin area. Try another one, or sign in with your password and code.',
  });
}
