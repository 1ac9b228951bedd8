import { AppError } from '@casewatch/platform/errors/app-error';
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
  const attempt = await throttle.passwordCheck(userId);
  const account = present(await store.accounts.byId(userId));
  const matches = await hasher.verify(account.passwordHash, password).catch(async (error: unknown) => {
    await attempt.undo();
    throw error;
  });
  if (!matches) throw wrongPassword();
  await attempt.succeeded();
  return account;
}

function wrongPassword(): AppError {
  return new AppError('WRONG_PASSWORD', 'The current password is not correct. Please try again.');
}
