import { userDeleted } from '@casewatch/contracts/events';
import { type Identity, present } from '../identity.ts';
import { checkPassword, unchangedSince } from '../password/check-password.ts';
import type { Store } from '../store.ts';

/**
 * Removes the account with all its sessions and publishes the deletion, so that the other services erase its data.
 * @throws AppError WRONG_PASSWORD, RATE_LIMITED, SIGNED_OUT or UNAVAILABLE
 */
export async function deleteAccount(identity: Identity, userId: string, password: string): Promise<void> {
  const checked = await checkPassword(identity, userId, password);
  await identity.store.transaction(async ({ accounts, publish }) => {
    const { passwordHash } = unchangedSince(checked, await accounts.lock(userId));
    present(await accounts.remove(userId, passwordHash));
    await publish(userDeleted, { userId });
  });
}

/**
 * Erases an account for an operator, who knows the address instead of the password. Resolves to the account's id; undefined when no
 * account has this address, as after an earlier erasure.
 */
export async function eraseAccount({ store }: { store: Store }, email: string): Promise<string | undefined> {
  return store.transaction(async ({ accounts, publish }) => {
    const found = await accounts.byEmail(email);
    // A concurrent password change does not stand in the way.
    const account = found && (await accounts.lock(found.id));
    if (!account || !(await accounts.remove(account.id, account.passwordHash))) return undefined;
    await publish(userDeleted, { userId: account.id });
    return account.id;
  });
}
