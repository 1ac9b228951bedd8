import type { PasskeyAssertion, PasskeyRequest } from '@casewatch/contracts/passkeys';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Identity, SignedIn } from '../identity.ts';
import { knownDeviceId } from './device.ts';
import { type LogInInput, openFor } from './log-in.ts';

export type PasskeySignIn = Omit<LogInInput, 'email' | 'password'> & { assertion: PasskeyAssertion };

/** Starts a challenge that any account's passkey may answer. @throws AppError RATE_LIMITED */
export async function startPasskeySignIn(
  { throttle, ceremonies }: Identity,
  address: string,
): Promise<PasskeyRequest> {
  await throttle.passkeyChallenge(address);
  return ceremonies.startAssertion({ purpose: 'sign-in' });
}

/**
 * Signs in under a new session id. A passkey is a device that the account knows: no notice of a new one is sent. Every
 * failure reads the same, whether or not the passkey is known.
 * @throws AppError INVALID_CREDENTIALS or RATE_LIMITED
 */
export async function signInWithPasskey(
  identity: Identity,
  { assertion, address, browser, language, oldSid, deviceCookie }: PasskeySignIn,
): Promise<SignedIn> {
  const { store, throttle, clock, ceremonies } = identity;
  const passkey = await store.passkeys.byCredentialId(assertion.id);
  const found =
    passkey && 'userId' in passkey.owner ? await store.accounts.byId(passkey.owner.userId) : undefined;
  const known = found?.isDemo && !identity.demoAccounts ? undefined : found;
  const deviceId = known && knownDeviceId(deviceCookie, known, clock.nowMs());
  const matches = await throttle.passkeySignIn({ credentialId: assertion.id, address, deviceId }, (guess) =>
    guess.count(() => ceremonies.verifyAssertion({ purpose: 'sign-in' }, assertion, known && passkey)),
  );
  if (!known || !matches) throw invalidPasskey();
  return store.transaction(async (work) => {
    const account = await work.accounts.countLogin(known.id, known.passwordHash, language);
    // Removed since it was checked, by its owner or with the first proof of the address: now the account is locked.
    const isThere = (await work.passkeys.byCredentialId(assertion.id))?.id === passkey?.id;
    if (!account || !isThere) throw invalidPasskey();
    return openFor(identity, work, account, { browser, language, oldSid, isKnownDevice: true });
  });
}

function invalidPasskey(): AppError {
  return new AppError('INVALID_CREDENTIALS', 'passkey-unknown');
}
