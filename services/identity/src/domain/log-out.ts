import { EMAIL_CHANGE } from './account-mail.ts';
import { newDeviceKey } from './device.ts';
import { endAllSessions, endBrowserSession } from './end-sessions.ts';
import type { Identity } from './identity.ts';
import { hashSid } from './session.ts';

/** Ends the session of this browser; without one, or with one that is over, nothing is left to do. */
export async function logOut({ store }: Identity, sid: string | undefined): Promise<void> {
  if (sid) await store.transaction((work) => endBrowserSession(work, hashSid(sid)));
}

/**
 * Ends every session of the account, this one too; no browser is recognized any more, and a pending change of address is
 * canceled.
 */
export async function logOutEverywhere({ store }: Identity, userId: string): Promise<void> {
  await store.transaction(async (work) => {
    // First: a sign-in at the same time is over with its session, or begins after it.
    const account = await work.accounts.lock(userId);
    if (!account) return;
    await work.accounts.setDeviceKey(userId, newDeviceKey());
    await work.mails.endLinksOf(account, EMAIL_CHANGE);
    await endAllSessions(work, userId);
  });
}
