import { userSessionsEnded } from '@casewatch/contracts/events';
import { newDeviceKey } from './device.ts';
import type { Identity } from './identity.ts';
import { hashSid } from './session.ts';

/** Ends the session of this browser; without one, or with one that is over, nothing is left to do. */
export async function logOut({ store }: Identity, sid: string | undefined): Promise<void> {
  if (sid) await store.sessions.end(hashSid(sid));
}

/** Ends every session of the account, this one too; no browser is recognized any more. */
export async function logOutEverywhere({ store }: Identity, userId: string): Promise<void> {
  await store.transaction(async ({ accounts, sessions, passkeys, publish }) => {
    // First, as it locks the account: a sign-in beside this one is over with its session, or begins after it.
    await accounts.setDeviceKey(userId, newDeviceKey());
    await sessions.endAllOf(userId);
    await passkeys.endChallengesOf({ userId });
    await publish(userSessionsEnded, { userId });
  });
}
