import type { User } from '@casewatch/contracts/identity';
import { toUser } from './account.ts';
import { checkPassword } from './check-password.ts';
import { type Identity, present } from './identity.ts';

/** @throws AppError WRONG_PASSWORD, EMAIL_TAKEN, RATE_LIMITED, SIGNED_OUT or UNAVAILABLE */
export async function changeEmail(
  identity: Identity,
  userId: string,
  { email, currentPassword }: { email: string; currentPassword: string },
): Promise<User> {
  const { passwordHash } = await checkPassword(identity, userId, currentPassword);
  const changed = await identity.store.accounts.changeEmail(userId, passwordHash, email);
  return toUser(present(changed));
}
