import { userChanged } from '@casewatch/contracts/events';
import type { User } from '@casewatch/contracts/identity';
import { type Identity, present } from '../identity.ts';
import { EMAIL_CHANGE, linkInvalid, type TokenPurpose } from '../mail/account-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import { checkPassword, unchangedSince } from '../password/check-password.ts';
import type { Client } from '../session/device.ts';
import { hashSid } from '../session/session.ts';
import { type Account, changeOf, emailKey, toUser } from './account.ts';
import { yields } from './confirm-email.ts';

export interface EmailChange extends Client {
  email: string;
  currentPassword: string;
}

/**
 * Sends a link to the new address, which takes effect when the link is used, and a link that stops the change to the current
 * address, if it is proven. Only the new address learns whether it belongs to another account. Where no e-mails are sent the
 * address changes at once.
 * @throws AppError WRONG_PASSWORD, RATE_LIMITED, SIGNED_OUT or UNAVAILABLE; EMAIL_TAKEN where no e-mails are sent
 */
export async function changeEmail(identity: Identity, userId: string, change: EmailChange): Promise<User> {
  const { store, mailLimits, sendsMails } = identity;
  const { email, address } = change;
  const account = await checkPassword(identity, userId, change.currentPassword);
  const isAnotherThan = (before: Account) => emailKey(email) !== emailKey(before.email);
  if (!sendsMails || !isAnotherThan(account)) {
    return store.transaction(async ({ accounts, publish }) => {
      const before = unchangedSince(account, await accounts.lock(userId));
      const change = { email, isAnother: isAnotherThan(before) };
      const changed = present(await accounts.changeEmail(userId, before.passwordHash, change));
      if (email !== before.email) await publish(userChanged, { ...changeOf(changed), emailChanged: true });
      return toUser(changed);
    });
  }
  await mailLimits.changeMail({ userId, address, email });
  await requestChange(identity, account, change);
  return toUser(account);
}

function requestChange({ store, clock }: Identity, checked: Account, change: EmailChange): Promise<void> {
  const { email, browser, language } = change;
  return store.transaction(async (work) => {
    const account = unchangedSince(checked, await work.accounts.lock(checked.id));
    const { id: userId } = account;
    const holder = await work.accounts.byEmail(email);
    const nowMs = clock.nowMs();
    // The last change counts. Links that stop one stay: they stop this one, too.
    await work.mails.endLinksOf(account, ['confirm-email', 'change-email']);
    if (holder && !yields(holder))
      await requestMail(work, { kind: 'address-in-use', email, language }, nowMs);
    else await requestMail(work, { kind: 'change-email', email, language, userId }, nowMs);
    if (!account.emailVerified) return;
    const before = { email: account.email, userId, browser, language };
    await requestMail(work, { ...before, kind: 'stop-email-change' }, nowMs);
  });
}

const STOPPING: readonly TokenPurpose[] = ['stop-email-change'];

/**
 * Uses the link that the current address got when a change was requested. Cancels any pending change of the account, also one
 * that was requested later. Changes nothing else, because access to the mailbox is all that it takes.
 * @throws AppError LINK_INVALID
 */
export async function stopEmailChange({ store, clock }: Identity, token: string): Promise<void> {
  const tokenHash = hashSid(token);
  const found = await store.mails.findToken(tokenHash, STOPPING, clock.nowMs());
  if (!found) throw linkInvalid();
  await store.transaction(async ({ accounts, mails }) => {
    const account = await accounts.lock(found.userId);
    const taken = await mails.takeToken(tokenHash, STOPPING, clock.nowMs());
    if (!account || !taken) throw linkInvalid();
    await mails.endLinksOf(account, EMAIL_CHANGE);
  });
}
