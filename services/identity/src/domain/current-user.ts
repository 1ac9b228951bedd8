import type { User } from '@casewatch/contracts/identity';
import { toUser } from './account.ts';
import { type Identity, present } from './identity.ts';

/** @throws AppError SIGNED_OUT when the account has been deleted */
export async function currentUser({ store }: Identity, userId: string): Promise<User> {
  return toUser(present(await store.accounts.byId(userId)));
}
