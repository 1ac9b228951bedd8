import { userSessionsEnded } from '@casewatch/contracts/events';
import type { Language } from '@casewatch/contracts/languages';
import { toUser } from './account.ts';
import { checkPassword } from './check-password.ts';
import { type Browser, issueDeviceCookie, newDeviceKey } from './device.ts';
import { type Identity, present, type SignedIn } from './identity.ts';
import { refuseGuessablePassword } from './new-password.ts';
import { notifyAddress } from './request-mail.ts';
import { openSession } from './session.ts';

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
  browser: Browser;
  language: Language;
}

/**
 * Changes the password, ends every session of the account and continues under a new one, which keeps the id of the caller's.
 * Other browsers are not recognized any more, links in e-mails end, and the address is notified.
 * @throws AppError VALIDATION, WRONG_PASSWORD, RATE_LIMITED, SIGNED_OUT or UNAVAILABLE
 */
export async function changePassword(
  identity: Identity,
  { userId, sessionId }: { userId: string; sessionId?: string | undefined },
  { currentPassword, newPassword, browser, language }: PasswordChange,
): Promise<SignedIn> {
  const { store, hasher, clock, lifetime } = identity;
  const before = await checkPassword(identity, userId, currentPassword);
  await refuseGuessablePassword('newPassword', newPassword, before);
  const deviceKey = newDeviceKey();
  const change = { passwordHash: await hasher.hash(newPassword, userId), deviceKey };
  return store.transaction(async (work) => {
    const { accounts, sessions, mails, passkeys } = work;
    const account = present(await accounts.changePassword(userId, before.passwordHash, change));
    await sessions.endAllOf(userId);
    await mails.endLinksOf(userId);
    await passkeys.endChallengesOf({ userId });
    const nowMs = clock.nowMs();
    await notifyAddress(identity, work, account, { kind: 'password-changed', language }, nowMs);
    const { sid, session } = openSession({ userId, browser, id: sessionId }, nowMs, lifetime);
    await sessions.add(session);
    await work.publish(userSessionsEnded, { userId, keptSessionId: session.id });
    return { user: toUser(account), sid, deviceCookie: issueDeviceCookie({ id: userId, deviceKey }, nowMs) };
  });
}
