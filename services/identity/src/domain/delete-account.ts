import { userDeleted } from '@casewatch/contracts/events';
import { checkPassword } from './check-password.ts';
import { type Identity, present } from './identity.ts';

/**
 * Removes the account with all its sessions and publishes the deletion, so that the other services erase its data.
 * @throws AppError WRONG_PASSWORD, RATE_LIMITED, SIGNED_OUT or UNAVAILABLE
 */
export async function deleteAccount(identity: Identity, userId: string, password: string): Promise<void> {
  const { passwordHash } = await checkPassword(identity, userId, password);
  await identity.store.transaction(async ({ accounts, publish }) => {
    present(await accounts.remove(userId, passwordHash));
    await publish(userDeleted, { userId });
  });
}
