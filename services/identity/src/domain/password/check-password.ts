import type { OwnerProof } from '@casewatch/contracts/passkeys';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Account } from '../account/account.ts';
import { type Identity, present } from '../identity.ts';
import { passkeyRefused } from '../passkey/passkey.ts';

/**
 * Returns the account of a signed-in person who has given its password again.
 * @throws AppError RATE_LIMITED, SIGNED_OUT, WRONG_PASSWORD or UNAVAILABLE
 */
export async function checkPassword(
  { store, hasher, throttle }: Identity,
  userId: string,
  password: string,
): Promise<Account> {
  const account = present(await store.accounts.byId(userId));
  const matches = await throttle.passwordCheck(userId, (guess) =>
    hasher.verify(account.passwordHash, password, guess),
  );
  if (!matches) throw wrongPassword();
  return account;
}

/**
 * Returns the account as it is now that it is locked, unless a new password or a sign-out everywhere has ended the caller's session
 * since it was checked.
 * @throws AppError SIGNED_OUT
 */
export function unchangedSince(checked: Account, locked: Account | undefined): Account {
  const { passwordHash, deviceKey } = checked;
  const isSame = locked?.passwordHash === passwordHash && locked.deviceKey === deviceKey;
  return present(isSame ? locked : undefined);
}

/**
 * Returns the same, with the password or one of the account's passkeys; a wrong one of either counts toward the same limit.
 * @throws AppError RATE_LIMITED, SIGNED_OUT, WRONG_PASSWORD, PASSKEY_REFUSED or UNAVAILABLE
 */
export async function checkProof(identity: Identity, userId: string, proof: OwnerProof): Promise<Account> {
  if ('currentPassword' in proof) return checkPassword(identity, userId, proof.currentPassword);
  const { store, throttle, ceremonies } = identity;
  const account = present(await store.accounts.byId(userId));
  const owner = { userId };
  const passkey = (await store.passkeys.listOf(owner)).find(
    ({ credentialId }) => credentialId === proof.passkey.id,
  );
  const matches = await throttle.passwordCheck(userId, (guess) =>
    guess.count(() => ceremonies.verifyAssertion({ purpose: 'prove', owner }, proof.passkey, passkey)),
  );
  if (!matches) throw passkeyRefused();
  return account;
}

function wrongPassword(): AppError {
  return new AppError('WRONG_PASSWORD');
}
