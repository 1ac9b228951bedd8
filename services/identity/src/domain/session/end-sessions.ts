import { userSessionsEnded } from '@casewatch/contracts/events';
import type { Account } from '../account/account.ts';
import type { Identity } from '../identity.ts';
import { EMAIL_CHANGE } from '../mail/account-mail.ts';
import type { Work } from '../store.ts';
import { newDeviceKey } from './device.ts';
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

/**
 * Ends every session of the account, the push messages to their devices and the passkey ceremonies in progress, and publishes
 * it. `keptSessionId`: whose devices keep their messages, since the caller continues that session under a new secret. The account
 * has to be locked: a sign-in or a device that is added at the same time comes before, and ends, or begins after.
 */
export async function endAllSessions(
  { sessions, deviceSessions, passkeys, publish }: Work,
  userId: string,
  keptSessionId?: string | undefined,
): Promise<void> {
  await sessions.endAllOf(userId);
  const deviceSessionIds = await deviceSessions.endAllOf(userId, keptSessionId);
  await passkeys.endChallengesOf({ userId });
  await publish(userSessionsEnded, { userId, deviceSessionIds });
}

/** Ends what a session that was just removed had granted, and publishes it. */
export async function endGrantsOf(
  { deviceSessions, publish }: Work,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  const hadDevices = await deviceSessions.end({ userId, sessionId });
  await publish(userSessionsEnded, { userId, deviceSessionIds: hadDevices ? [sessionId] : [] });
}

/**
 * Ends the session that a browser had, with what it had granted. `continuedBy`: the account that the browser signs in to; where
 * the session was already of that account it is continued under its id, which is returned, and its devices keep their messages.
 */
export async function endBrowserSession(
  work: Work,
  sidHash: string,
  continuedBy?: string | undefined,
): Promise<string | undefined> {
  const ended = await work.sessions.end(sidHash);
  if (!ended) return undefined;
  if (ended.userId === continuedBy) return ended.sessionId;
  await endGrantsOf(work, ended);
  return undefined;
}

/**
 * Ends what was set up in an account before its address was first proven: sessions with their push messages, passkeys and passkey
 * ceremonies, links and pending changes of address. Known browsers are forgotten with the device key, which the caller replaces.
 * Anyone can sign up with another person's address, and nothing shows who did until someone reads the mailbox (pre-hijacking).
 *
 * Two things prove an address. Neither leaves the person who signed up a way in that the owner of the mailbox does not know:
 * - A password reset by a link. The old password ends, and everything with it.
 * - The link of a new account together with the account's password. A click alone is not enough, not even in a browser that is signed
 *   in to the account: it may be the session of another person on a shared computer, whose password would keep working. A person who
 *   does not know the password can't confirm; the page leads to the reset.
 *
 * `keptSessionId`: the session of the browser that confirms. It continues under a new secret, because its cookie may have been copied.
 * All other sessions end, even if the same person opened them: a session or passkey does not show who created it.
 */
export async function endWhatWasBefore(
  work: Work,
  account: Pick<Account, 'id' | 'email'>,
  keptSessionId?: string | undefined,
): Promise<void> {
  await work.passkeys.removeAllOf({ userId: account.id });
  await work.mails.endLinksOf(account);
  await endAllSessions(work, account.id, keptSessionId);
}
