import type { Language } from '@casewatch/contracts/languages';
import type { Identity } from './identity.ts';
import { requestMail, requireMails } from './request-mail.ts';

/**
 * Requests an e-mail with a link that resets the password. Does the same, and takes as long, whether or not there is an
 * account: it is looked up when the e-mail is sent. One address gets a few e-mails an hour; beyond them nothing happens,
 * and the answer is the same.
 * @throws AppError RATE_LIMITED for the caller's network, or UNAVAILABLE where no e-mails are sent
 */
export async function requestPasswordReset(
  identity: Identity,
  { email, address, language }: { email: string; address: string; language: Language },
): Promise<void> {
  const { store, throttle, clock } = identity;
  requireMails(identity);
  await throttle.mailRequest(address);
  if ((await throttle.mailTo(email)) !== undefined) return;
  await store.transaction((work) =>
    requestMail(work, { kind: 'reset-password', email, language }, clock.nowMs()),
  );
}
