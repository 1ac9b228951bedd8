import type { Language } from '@casewatch/contracts/languages';
import { type Identity, present } from './identity.ts';
import { requestMail, requireMails } from './request-mail.ts';

/**
 * Sends the link that proves the account's address again; does nothing when it is proven.
 * @throws AppError RATE_LIMITED, SIGNED_OUT or UNAVAILABLE
 */
export async function sendConfirmation(
  identity: Identity,
  { userId, address, language }: { userId: string; address: string; language: Language },
): Promise<void> {
  const { store, mailLimits, clock } = identity;
  requireMails(identity);
  const before = present(await store.accounts.byId(userId));
  if (before.emailVerified) return;
  await mailLimits.confirmationMail({ userId, address, email: before.email });
  await store.transaction(async (work) => {
    const { email, emailVerified } = present(await work.accounts.lock(userId));
    if (emailVerified || email !== before.email) return;
    await requestMail(work, { kind: 'confirm-email', email, language, userId }, clock.nowMs());
  });
}
