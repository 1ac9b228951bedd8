import type { Account } from './account.ts';
import { endAllSessions } from './end-sessions.ts';
import type { Work } from './store.ts';

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
