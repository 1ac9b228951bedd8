import { userChanged, userDeleted } from '@casewatch/contracts/events';
import type { Language } from '@casewatch/contracts/languages';
import { type Account, changeOf, emailKey, emailTaken } from './account.ts';
import { linkInvalid } from './account-mail.ts';
import type { Identity } from './identity.ts';
import { requestMail } from './request-mail.ts';
import { hashSid } from './session.ts';

/**
 * Uses the link of an e-mail: the address that it was sent to is proven, and becomes the account's. Another account that
 * has this address without having proven it yields: it is deleted. The address before is notified.
 * @throws AppError LINK_INVALID, or EMAIL_TAKEN when the address was proven for another account meanwhile
 */
export async function confirmEmail(
  identity: Identity,
  { token, language }: { token: string; language: Language },
): Promise<void> {
  const { store, clock, sendsMails } = identity;
  const tokenHash = hashSid(token);
  const found = await store.mails.findToken(tokenHash, 'confirm-email', clock.nowMs());
  if (!found) throw linkInvalid();
  await store.transaction(async (work) => {
    const { accounts, mails, publish } = work;
    const nowMs = clock.nowMs();
    const holder = await accounts.byEmail(found.email);
    // Accounts first, as everywhere, and in the order of their ids: two that take each other's address never deadlock.
    const locked = new Map<string, Account | undefined>();
    for (const id of [...new Set([found.userId, holder?.id ?? found.userId])].sort())
      locked.set(id, await accounts.lock(id));
    const account = locked.get(found.userId);
    const taken = await mails.takeToken(tokenHash, 'confirm-email', nowMs);
    if (!taken || !account) throw linkInvalid();
    // As it is now that it is locked: it may have proven the address meanwhile.
    const other = holder && holder.id !== account.id ? locked.get(holder.id) : undefined;
    if (other) {
      if (!yields(other) || !(await accounts.remove(other.id, other.passwordHash))) throw emailTaken();
      await publish(userDeleted, { userId: other.id });
    }
    await accounts.confirmEmail(account.id, taken.email, nowMs);
    if (taken.email !== account.email)
      await publish(userChanged, { ...changeOf(account), emailChanged: true });
    await mails.endLinksOf(account.id);
    const hasMoved = emailKey(taken.email) !== emailKey(account.email);
    if (hasMoved && sendsMails && account.emailVerified) {
      const { id: userId, email } = account;
      await requestMail(work, { kind: 'email-changed', email, language, userId }, nowMs);
    }
  });
}

/** Whether the address can be proven for another account, which ends this one. */
export function yields({ emailVerified, tier, isDemo }: Account): boolean {
  return !emailVerified && tier === 'free' && !isDemo;
}
