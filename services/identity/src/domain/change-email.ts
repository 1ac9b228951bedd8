import { userChanged } from '@casewatch/contracts/events';
import type { User } from '@casewatch/contracts/identity';
import type { Language } from '@casewatch/contracts/languages';
import { changeOf, emailKey, toUser } from './account.ts';
import { checkPassword } from './check-password.ts';
import { yields } from './confirm-email.ts';
import { refuseAfter } from './counted-check.ts';
import { type Identity, present } from './identity.ts';
import { requestMail } from './request-mail.ts';
import { TOO_MANY_MAILS } from './throttle.ts';

/**
 * Sends a link to the new address, which takes effect when the link is used. Whether the address belongs to another
 * account is said to that address alone. Where no e-mails are sent the address changes at once.
 * @throws AppError WRONG_PASSWORD, RATE_LIMITED, SIGNED_OUT or UNAVAILABLE; EMAIL_TAKEN where no e-mails are sent
 */
export async function changeEmail(
  identity: Identity,
  userId: string,
  { email, currentPassword, language }: { email: string; currentPassword: string; language: Language },
): Promise<User> {
  const { store, throttle, clock, sendsMails } = identity;
  const account = await checkPassword(identity, userId, currentPassword);
  if (!sendsMails || emailKey(email) === emailKey(account.email)) {
    return store.transaction(async ({ accounts, publish }) => {
      const changed = present(await accounts.changeEmail(userId, account.passwordHash, email));
      if (email !== account.email) await publish(userChanged, { ...changeOf(changed), emailChanged: true });
      return toUser(changed);
    });
  }
  refuseAfter(await throttle.mailTo(email), TOO_MANY_MAILS);
  await store.transaction(async (work) => {
    // A new password ends the links that were requested before it: none may follow on the word of the old one.
    const current = await work.accounts.lock(userId);
    present(current?.passwordHash === account.passwordHash ? current : undefined);
    const holder = await work.accounts.byEmail(email);
    const nowMs = clock.nowMs();
    await work.mails.endLinksOf(userId, 'confirm-email');
    if (holder && !yields(holder))
      await requestMail(work, { kind: 'address-in-use', email, language }, nowMs);
    else await requestMail(work, { kind: 'confirm-email', email, language, userId }, nowMs);
  });
  return toUser(account);
}
