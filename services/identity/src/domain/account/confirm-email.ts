import { userChanged, userDeleted } from '@casewatch/contracts/events';
import { type Identity, present, type SignedIn } from '../identity.ts';
import { linkInvalid, type TokenPurpose } from '../mail/account-mail.ts';
import { requestMail, requireMails } from '../mail/request-mail.ts';
import { checkPassword } from '../password/check-password.ts';
import { type Client, issueDeviceCookie, newDeviceKey } from '../session/device.ts';
import { endWhatWasBefore } from '../session/end-sessions.ts';
import { hashSid, openSession } from '../session/session.ts';
import type { Work } from '../store.ts';
import { type Account, changeOf, emailKey, emailTaken, toUser } from './account.ts';

export interface Confirmation extends Omit<Client, 'address'> {
  token: string;
  currentPassword: string;
  /** The session that the browser has, if any. */
  sid: string | undefined;
}

export interface Confirmed {
  /** Whether no address of the account was proven before: what was set up in it until then has ended. */
  isFirstProof: boolean;
  /** The browser's session under a new secret; undefined where none was replaced. */
  continued?: SignedIn | undefined;
}

const CONFIRMING: readonly TokenPurpose[] = ['confirm-email', 'change-email'];

/**
 * Uses the link of an e-mail, together with the account's password: the address that it was sent to is proven, and that of a
 * change becomes the account's. Another account that has this address without having proven it yields: it is deleted. The address
 * before is notified. The first proof ends what was set up before it (`endWhatWasBefore` says what, and why the password is asked
 * for).
 * @throws AppError LINK_INVALID, WRONG_PASSWORD, RATE_LIMITED, SIGNED_OUT or UNAVAILABLE; EMAIL_TAKEN when the address was proven
 * for another account in the meantime
 */
export async function confirmEmail(identity: Identity, given: Confirmation): Promise<Confirmed> {
  const { store, mailLimits, clock, sendsMails } = identity;
  const { token, language } = given;
  const tokenHash = hashSid(token);
  const found = await store.mails.findToken(tokenHash, CONFIRMING, clock.nowMs());
  if (!found) throw linkInvalid();
  const { passwordHash } = await checkPassword(identity, found.userId, given.currentPassword);
  const confirmed = await store.transaction(async (work): Promise<Confirmed> => {
    const { accounts, mails, publish } = work;
    const nowMs = clock.nowMs();
    const holder = await accounts.byEmail(found.email);
    // Accounts first, as everywhere, and in the order of their ids: two that take each other's address never deadlock.
    const locked = new Map<string, Account | undefined>();
    for (const id of [...new Set([found.userId, holder?.id ?? found.userId])].sort())
      locked.set(id, await accounts.lock(id));
    const account = locked.get(found.userId);
    const taken = await mails.takeToken(tokenHash, CONFIRMING, nowMs);
    if (!taken || account?.passwordHash !== passwordHash) throw linkInvalid();
    const isChange = emailKey(taken.email) !== emailKey(account.email);
    if (isChange && taken.purpose !== 'change-email') throw linkInvalid();
    // As it is now that it is locked: it may have proven the address in the meantime.
    const other = holder && holder.id !== account.id ? locked.get(holder.id) : undefined;
    if (other) {
      if (!yields(other) || !(await accounts.remove(other.id, other.passwordHash))) throw emailTaken();
      await publish(userDeleted, { userId: other.id });
    }
    const changed = await accounts.confirmEmail(account.id, taken.email, nowMs);
    if (taken.email !== account.email)
      await publish(userChanged, { ...changeOf(changed), emailChanged: true });
    if (!account.emailVerified) {
      const proven = { ...account, email: taken.email, emailVerified: true };
      return { isFirstProof: true, continued: await startOver(identity, work, proven, given) };
    }
    await mails.endLinksOf(account);
    if (isChange && sendsMails) {
      const { id: userId, email } = account;
      await requestMail(work, { kind: 'email-changed', email, language, userId }, nowMs);
    }
    return { isFirstProof: false };
  });
  // Links that were sent have ended, and requests from before the account had the address sent none.
  await mailLimits.clearResetMails(found.email);
  if (confirmed.isFirstProof) identity.forgetSessions(found.userId);
  return confirmed;
}

/** Ends what was before the proof, and continues the session of this browser, if it is one of the account. */
async function startOver(
  { clock, lifetime }: Identity,
  work: Work,
  account: Account,
  { sid, browser }: Confirmation,
): Promise<SignedIn | undefined> {
  const { accounts, sessions } = work;
  const { id: userId } = account;
  const nowMs = clock.nowMs();
  const found = sid === undefined ? undefined : await sessions.find(hashSid(sid), nowMs);
  const mine = found?.session.userId === userId ? found : undefined;
  const deviceKey = newDeviceKey();
  await accounts.setDeviceKey(userId, deviceKey);
  await endWhatWasBefore(work, account, mine?.id);
  if (!mine) return undefined;
  const opened = openSession({ userId, browser, id: mine.id }, nowMs, lifetime);
  await sessions.add(opened.session);
  const deviceCookie = issueDeviceCookie({ id: userId, deviceKey }, nowMs);
  return { user: toUser(account), sid: opened.sid, deviceCookie };
}

/** Returns whether the address can be proven for another account, which ends this one. */
export function yields({ emailVerified, tier, isDemo }: Account): boolean {
  return !emailVerified && tier === 'free' && !isDemo;
}

/**
 * Sends the link that proves the account's address again; does nothing when it is proven.
 * @throws AppError RATE_LIMITED, SIGNED_OUT or UNAVAILABLE
 */
export async function sendConfirmation(
  identity: Identity,
  { userId, address, language }: { userId: string } & Omit<Client, 'browser'>,
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
