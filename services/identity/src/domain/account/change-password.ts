import { type Identity, present, type SignedIn } from '../identity.ts';
import { notifyAddress } from '../mail/request-mail.ts';
import { checkPassword, unchangedSince } from '../password/check-password.ts';
import { refuseGuessablePassword } from '../password/new-password.ts';
import { type Client, issueDeviceCookie, newDeviceKey } from '../session/device.ts';
import { endAllSessions } from '../session/end-sessions.ts';
import { openSession } from '../session/session.ts';
import { toUser } from './account.ts';

export interface PasswordChange extends Omit<Client, 'address'> {
  currentPassword: string;
  newPassword: string;
}

/**
 * Changes the password, ends every session of the account and continues under a new one, which keeps the id of the caller's.
 * Other browsers are not recognized any more, links in e-mails end, and the address is notified.
 * @throws AppError VALIDATION, WRONG_PASSWORD, RATE_LIMITED, SIGNED_OUT or UNAVAILABLE
 */
export async function changePassword(
  identity: Identity,
  { userId, sessionId }: { userId: string; sessionId: string },
  { currentPassword, newPassword, browser, language }: PasswordChange,
): Promise<SignedIn> {
  const { store, hasher, mailLimits, clock, lifetime, sendsMails } = identity;
  const before = await checkPassword(identity, userId, currentPassword);
  await refuseGuessablePassword('newPassword', newPassword, before);
  // Where no e-mails are sent there are no links that a thief could end, and no reset that would help the owner.
  if (sendsMails) await mailLimits.passwordChange(userId);
  const deviceKey = newDeviceKey();
  const change = { passwordHash: await hasher.hash(newPassword, userId), deviceKey };
  const changed = await store.transaction(async (work) => {
    const { accounts, sessions, mails } = work;
    const locked = unchangedSince(before, await accounts.lock(userId));
    const nowMs = clock.nowMs();
    // Ended from the list in the meantime: it is not continued.
    present((await sessions.isLive({ userId, sessionId }, nowMs)) ? locked : undefined);
    const account = present(await accounts.changePassword(userId, before.passwordHash, change));
    await mails.endLinksOf(account);
    await endAllSessions(work, userId, sessionId);
    await notifyAddress(identity, work, account, { kind: 'password-changed', language }, nowMs);
    const { sid, session } = openSession({ userId, browser, id: sessionId }, nowMs, lifetime);
    await sessions.add(session);
    return { user: toUser(account), sid, deviceCookie: issueDeviceCookie({ id: userId, deviceKey }, nowMs) };
  });
  // Those that were sent have ended with the old password.
  await mailLimits.clearResetMails(before.email);
  return changed;
}
