import type { Language } from '@casewatch/contracts/languages';
import type { Identity } from './identity.ts';
import { requestMail, requireMails } from './request-mail.ts';

/**
 * Requests an e-mail with a link that resets the password. Does the same, and takes as long, whether or not there is an
 * account: it is looked up when the e-mail is sent. When enough links were sent to the address within the last quarter of an
 * hour, sends none: each of them still works for another one. The answer is the same.
 * @throws AppError RATE_LIMITED for the caller's network, or UNAVAILABLE where no e-mails are sent
 */
export async function requestPasswordReset(
  identity: Identity,
  { email, address, language }: { email: string; address: string; language: Language },
): Promise<void> {
  const { store, mailLimits, clock } = identity;
  requireMails(identity);
  if (!(await mailLimits.resetMail({ address, email }))) return;
  await store.transaction((work) =>
    requestMail(work, { kind: 'reset-password', email, language }, clock.nowMs()),
  );
}
