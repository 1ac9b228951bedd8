import { EMAIL_CHANGE, linkInvalid, type TokenPurpose } from './account-mail.ts';
import type { Identity } from './identity.ts';
import { hashSid } from './session.ts';

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
