import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Account } from './account.ts';
import { type Identity, present } from './identity.ts';

/**
 * The account of a signed-in person who has given its password again.
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

function wrongPassword(): AppError {
  return new AppError('WRONG_PASSWORD', 'The current password is not correct. Please try again.');
}
