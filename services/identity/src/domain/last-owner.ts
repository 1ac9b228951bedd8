import type { AdminArea } from './identity.ts';
import type { Work } from './store.ts';

/**
 * Returns the owner who has to stay one, since no other could open the area then: the last who can sign in. With the passcode there
 * is always a way in, and no owner has to stay.
 *
 * Locks the owners in one order until the transaction ends. Call it before any other administrator is locked, so that two changes at
 * once wait for each other instead of taking the last two owners.
 */
export async function lockLastOwner(
  { passcode, provider }: Pick<AdminArea, 'passcode' | 'provider'>,
  { administrators }: Work,
): Promise<string | undefined> {
  const owners = await administrators.lockActiveOwners({ issuer: provider?.issuer });
  return !passcode && owners.length === 1 ? owners[0] : undefined;
}
