import { toUser } from './account.ts';
import { checkPassword } from './check-password.ts';
import { type Identity, present, type SignedIn } from './identity.ts';
import { openSession } from './session.ts';

/**
 * Changes the password, ends every session of the account and goes on under a new one.
 * @throws AppError WRONG_PASSWORD, RATE_LIMITED, SIGNED_OUT or UNAVAILABLE
 */
export async function changePassword(
  identity: Identity,
  userId: string,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<SignedIn> {
  const { store, hasher, clock, lifetime } = identity;
  const { passwordHash } = await checkPassword(identity, userId, currentPassword);
  const newHash = await hasher.hash(newPassword);
  return store.transaction(async ({ accounts, sessions }) => {
    const account = present(await accounts.changePassword(userId, passwordHash, newHash));
    await sessions.endAllOf(userId);
    const { sid, session } = openSession(userId, clock.nowMs(), lifetime);
    await sessions.add(session);
    return { user: toUser(account), sid };
  });
}
