import { PASSKEYS_MAX } from '@casewatch/contracts/limits';
import type {
  OwnerProof,
  PasskeyAttestation,
  PasskeyCreation,
  Passkey as PasskeyItem,
  PasskeyRequest,
} from '@casewatch/contracts/passkeys';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { fullName } from '../account/account.ts';
import { type Identity, present } from '../identity.ts';
import { notifyAddress } from '../mail/request-mail.ts';
import { checkProof, unchangedSince } from '../password/check-password.ts';
import type { Client } from '../session/device.ts';
import type { Passkeys, Work } from '../store.ts';
import { type Passkey, type PasskeyOwner, passkeyRefused, toPasskeyItem } from './passkey.ts';
import type { VerifiedPasskey } from './passkey-ceremonies.ts';

/** Starts a challenge by which a passkey of the account stands in for its password. @throws AppError SIGNED_OUT */
export async function startPasskeyProof(
  { store, ceremonies }: Identity,
  userId: string,
): Promise<PasskeyRequest> {
  present(await store.accounts.byId(userId));
  return ceremonies.startAssertion({ purpose: 'prove', owner: { userId } });
}

/** Begins to add a passkey. @throws AppError WRONG_PASSWORD, PASSKEY_REFUSED, PASSKEY_LIMIT, RATE_LIMITED or SIGNED_OUT */
export async function startPasskeyRegistration(
  identity: Identity,
  userId: string,
  proof: OwnerProof,
): Promise<PasskeyCreation> {
  const account = await checkProof(identity, userId, proof);
  await refuseMore(identity.store.passkeys, { userId });
  const names = { name: account.email, displayName: fullName(account) };
  const creation = await identity.ceremonies.startRegistration({ userId }, names);
  // What ends challenges locks the account: it ends the stored one, or is seen here.
  await identity.store.transaction(async ({ accounts, passkeys }) => {
    unchangedSince(account, await accounts.lock(userId));
    if ('passkey' in proof && !(await passkeys.byCredentialId(proof.passkey.id))) throw passkeyRefused();
  });
  return creation;
}

/**
 * Adds the passkey that answers the challenge of a registration, named after the browser, and notifies the address.
 * A passkey that has been added before, to whichever account, is refused like a wrong answer.
 * @throws AppError PASSKEY_REFUSED, PASSKEY_LIMIT or SIGNED_OUT
 */
export async function addPasskey(
  identity: Identity,
  { userId, sessionId }: { userId: string; sessionId: string },
  { attestation, browser, language }: { attestation: PasskeyAttestation } & Omit<Client, 'address'>,
): Promise<PasskeyItem> {
  const { store, clock, ceremonies } = identity;
  const owner = { userId };
  const before = present(await store.accounts.byId(userId));
  const verified = await ceremonies.finishRegistration(owner, attestation);
  if (!verified) throw passkeyRefused();
  return store.transaction(async (work) => {
    const locked = await work.accounts.lock(userId);
    const isLive = await work.sessions.isLive({ userId, sessionId }, clock.nowMs());
    const account = present(isLive ? locked : undefined);
    // A new password and a sign-out everywhere change the key, and end the registrations in progress; this one's challenge
    // was taken already.
    if (account.deviceKey !== before.deviceKey) throw passkeyRefused();
    const nowMs = clock.nowMs();
    const added = await addVerified(work, { ...verified, owner, name: browser.device }, nowMs);
    await notifyAddress(identity, work, account, { kind: 'passkey-added', browser, language }, nowMs);
    return added;
  });
}

/** @throws AppError NOT_FOUND */
export async function renamePasskey(
  { store }: Identity,
  userId: string,
  { id, name }: { id: string; name: string },
): Promise<PasskeyItem> {
  const renamed = await store.passkeys.rename({ userId }, id, name);
  if (!renamed) throw passkeyRemoved();
  return toPasskeyItem(renamed);
}

/**
 * Removes a passkey and notifies the address; the password remains as a way to sign in. Registrations in progress end: the passkey
 * may be what allowed them.
 * @throws AppError NOT_FOUND, WRONG_PASSWORD, PASSKEY_REFUSED, RATE_LIMITED or SIGNED_OUT
 */
export async function removePasskey(
  identity: Identity,
  userId: string,
  { id, proof, browser, language }: { id: string; proof: OwnerProof } & Omit<Client, 'address'>,
): Promise<void> {
  const checked = await checkProof(identity, userId, proof);
  await identity.store.transaction(async (work) => {
    const account = unchangedSince(checked, await work.accounts.lock(userId));
    if (!(await work.passkeys.remove({ userId }, id))) throw passkeyRemoved();
    await work.passkeys.endChallengesOf({ userId });
    await notifyAddress(
      identity,
      work,
      account,
      { kind: 'passkey-removed', browser, language },
      identity.clock.nowMs(),
    );
  });
}

/**
 * Adds a passkey that its authenticator has shown, within a transaction that has locked its owner.
 * @throws AppError PASSKEY_REFUSED for one that has been added before, or PASSKEY_LIMIT
 */
export async function addVerified(
  { passkeys }: Work,
  verified: VerifiedPasskey & Pick<Passkey, 'owner' | 'name'>,
  nowMs: number,
): Promise<PasskeyItem> {
  await refuseMore(passkeys, verified.owner);
  const passkey: Passkey = { ...verified, id: uuidV7(nowMs), createdAtMs: nowMs, lastUsedAtMs: null };
  if (!(await passkeys.add(passkey))) throw passkeyRefused();
  return toPasskeyItem(passkey);
}

/** @throws AppError PASSKEY_LIMIT */
export async function refuseMore(passkeys: Passkeys, owner: PasskeyOwner): Promise<void> {
  if ((await passkeys.listOf(owner)).length < PASSKEYS_MAX) return;
  throw new AppError('PASSKEY_LIMIT');
}

export function passkeyRemoved(): AppError {
  return new AppError('NOT_FOUND', 'passkey-removed');
}
