import { userChanged } from '@casewatch/contracts/events';
import type { User } from '@casewatch/contracts/identity';
import type { Language } from '@casewatch/contracts/languages';
import { type Identity, present } from '../identity.ts';
import { changeOf, fullName, roleOrNone, toUser } from './account.ts';

export interface ProfileChange {
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** null or empty removes it. */
  role?: string | null | undefined;
  /** null: as the browser asks for. */
  language?: Language | null | undefined;
}

/**
 * Changes the given fields and publishes a change of the name, which gateways cache with the session.
 * @throws AppError SIGNED_OUT
 */
export async function changeProfile(
  { store, forgetSessions }: Identity,
  userId: string,
  change: ProfileChange,
): Promise<User> {
  const { before, after } = await store.transaction(async ({ accounts, publish }) => {
    const before = present(await accounts.lock(userId));
    const after = await accounts.changeProfile(userId, {
      firstName: change.firstName ?? before.firstName,
      lastName: change.lastName ?? before.lastName,
      role: change.role === undefined ? before.role : roleOrNone(change.role),
      language: change.language === undefined ? before.language : change.language,
    });
    if (fullName(after) !== fullName(before)) await publish(userChanged, changeOf(after));
    return { before, after };
  });
  if (fullName(after) !== fullName(before)) forgetSessions(userId);
  return toUser(after);
}

/** @throws AppError SIGNED_OUT when the account has been deleted */
export async function currentUser({ store }: Identity, userId: string): Promise<User> {
  return toUser(present(await store.accounts.byId(userId)));
}
