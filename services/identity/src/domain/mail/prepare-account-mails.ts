import type { AccountMail } from '@casewatch/contracts/account-mails';
import { type Account, emailKey } from '../account/account.ts';
import type { Identity } from '../identity.ts';
import type { Work } from '../store.ts';
import { newToken, type RequestedMail, TOKEN_MINUTES, tokenPurpose } from './account-mail.ts';

/**
 * Returns what requested e-mails say, with new links for those that have one; only the hash of a link is stored. Leaves
 * out what is too late, what needs no e-mail any more, and what was requested for an address without an account.
 */
export async function prepareAccountMails(
  { store, clock }: Identity,
  mailIds: readonly string[],
): Promise<AccountMail[]> {
  const nowMs = clock.nowMs();
  const prepared: AccountMail[] = [];
  for (const requested of await store.mails.due(mailIds, nowMs)) {
    // One account at a time is locked: two calls never wait for each other's.
    const mail = await store.transaction(async (work) => {
      const account = await lockAccountOf(work, requested);
      // What ends links locks the account, too, and withdraws the request.
      const [standing] = await work.mails.due([requested.id], nowMs);
      return account && standing && isNeeded(standing, account)
        ? prepare(work, standing, account)
        : undefined;
    });
    if (mail) prepared.push(mail);
  }
  return prepared;
}

async function lockAccountOf(
  { accounts }: Work,
  { userId, email }: RequestedMail,
): Promise<Account | undefined> {
  if (userId !== null) return accounts.lock(userId);
  const holder = await accounts.byEmail(email);
  const account = holder && (await accounts.lock(holder.id));
  return account && isCurrent(email, account) ? account : undefined;
}

/** A demo account has a password that everyone knows, and an address that no one has. */
function isNeeded({ kind, email }: RequestedMail, account: Account): boolean {
  if (account.isDemo) return false;
  return kind !== 'confirm-email' || (!account.emailVerified && isCurrent(email, account));
}

const isCurrent = (email: string, account: Account) => emailKey(email) === emailKey(account.email);

async function prepare(
  { mails, passkeys }: Work,
  mail: RequestedMail,
  account: Account,
): Promise<AccountMail> {
  const { id, kind, browser, requestedAtMs, expiresAtMs } = mail;
  // As the account has it, where it was found by a typed address.
  const email = mail.userId === null ? account.email : mail.email;
  const purpose = tokenPurpose(kind) ? kind : undefined;
  const { token, tokenHash } = newToken();
  if (purpose) await mails.addToken({ tokenHash, purpose, userId: account.id, email, expiresAtMs });
  return {
    mailId: id,
    kind,
    to: email,
    requestedAt: new Date(requestedAtMs).toISOString(),
    token: purpose ? token : null,
    tokenMinutes: purpose ? TOKEN_MINUTES[purpose] : null,
    isFirstProof: !account.emailVerified,
    passkeys: (await passkeys.listOf({ userId: account.id })).length,
    device: browser?.device ?? null,
    network: browser?.network ?? null,
    language: account.language ?? mail.language,
  };
}
