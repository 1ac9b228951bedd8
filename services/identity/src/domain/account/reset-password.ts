import { limitKey } from '@casewatch/service-kit/http/limit-key';
import type { Identity } from '../identity.ts';
import { type AccountToken, linkInvalid, type TokenPurpose } from '../mail/account-mail.ts';
import { requestMail, requireMails } from '../mail/request-mail.ts';
import { refuseGuessablePassword } from '../password/new-password.ts';
import { type Client, newDeviceKey } from '../session/device.ts';
import { endAllSessions, endWhatWasBefore } from '../session/end-sessions.ts';
import { hashSid } from '../session/session.ts';
import { type Account, emailKey } from './account.ts';

/**
 * Requests an e-mail with a link that resets the password. Does the same, and takes as long, whether or not there is an
 * account: it is looked up when the e-mail is sent. When enough links were sent to the address within the last quarter of an
 * hour, sends none: each of them still works for another one. The answer is the same.
 * @throws AppError RATE_LIMITED for the caller's network, or UNAVAILABLE where no e-mails are sent
 */
export async function requestPasswordReset(
  identity: Identity,
  { email, address, language }: { email: string } & Omit<Client, 'browser'>,
): Promise<void> {
  const { store, mailLimits, clock } = identity;
  requireMails(identity);
  if (!(await mailLimits.resetMail({ address, email }))) return;
  await store.transaction((work) =>
    requestMail(work, { kind: 'reset-password', email, language }, clock.nowMs()),
  );
}

const RESETTING: readonly TokenPurpose[] = ['reset-password'];

/**
 * Sets a new password with the link of an e-mail, which proves the address as well. The password is checked and hashed
 * before the link is used up, so that a refused password leaves the link valid. Ends every session and every other link
 * of the account, forgets its browsers and notifies the address. Passkeys stay, and the notice says so; where the address is
 * proven for the first time, which is returned, they end, too (`endWhatWasBefore`). No session is opened: a person who reads the
 * mailbox for a moment still needs the password.
 * @throws AppError LINK_INVALID, VALIDATION or UNAVAILABLE
 */
export async function resetPassword(
  identity: Identity,
  { token, newPassword, address, language }: { token: string; newPassword: string } & Omit<Client, 'browser'>,
): Promise<{ isFirstProof: boolean }> {
  const { store, hasher, throttle, mailLimits, clock } = identity;
  const tokenHash = hashSid(token);
  const found = await store.mails.findToken(tokenHash, RESETTING, clock.nowMs());
  const before = found && (await store.accounts.byId(found.userId));
  if (!found || !isOf(found, before)) throw linkInvalid();
  await refuseGuessablePassword('newPassword', newPassword, before);
  const passwordHash = await hasher.hash(newPassword, limitKey(address));

  const isFirstProof = await store.transaction(async (work) => {
    const { accounts, mails } = work;
    const nowMs = clock.nowMs();
    // Locks the account: a sign-in with the old password is over with its session, or is refused after it.
    const account = await accounts.lock(found.userId);
    const taken = await mails.takeToken(tokenHash, RESETTING, nowMs);
    if (!taken || !isOf(taken, account)) throw linkInvalid();
    await accounts.resetPassword(account.id, { passwordHash, deviceKey: newDeviceKey(), nowMs });
    const { id: userId, email, emailVerified } = account;
    if (emailVerified) {
      await mails.endLinksOf(account);
      await endAllSessions(work, userId);
    } else {
      await endWhatWasBefore(work, account);
    }
    await requestMail(work, { kind: 'password-changed', email, language, userId }, nowMs);
    return !emailVerified;
  });
  identity.forgetSessions(found.userId);
  // The failures before this were of the old password, and the links before it have ended.
  await Promise.all([
    throttle.clearSignIns(before.email),
    mailLimits.clearResetMails(before.email),
    mailLimits.clearPasswordChanges(before.id),
  ]);
  return { isFirstProof };
}

/** A link ends when the account moves to another address. */
function isOf({ email }: AccountToken, account: Account | undefined): account is Account {
  return account !== undefined && emailKey(email) === emailKey(account.email);
}
