import type { Language } from '@casewatch/contracts/languages';
import { refuseAfter } from './counted-check.ts';
import { type Identity, present } from './identity.ts';
import { requestMail, requireMails } from './request-mail.ts';
import { TOO_MANY_MAILS } from './throttle.ts';

/**
 * Sends the link that proves the account's address again; does nothing when it is proven.
 * @throws AppError RATE_LIMITED, SIGNED_OUT or UNAVAILABLE
 */
export async function sendConfirmation(
  identity: Identity,
  { userId, language }: { userId: string; language: Language },
): Promise<void> {
  const { store, throttle, clock } = identity;
  requireMails(identity);
  const { email, emailVerified } = present(await store.accounts.byId(userId));
  if (emailVerified) return;
  refuseAfter(await throttle.mailTo(email), TOO_MANY_MAILS);
  await store.transaction((work) =>
    requestMail(work, { kind: 'confirm-email', email, language, userId }, clock.nowMs()),
  );
}
