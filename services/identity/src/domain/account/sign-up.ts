import { randomUUID } from 'node:crypto';
import { userSignedUp } from '@casewatch/contracts/events';
import type { Language } from '@casewatch/contracts/languages';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { limitKey } from '@casewatch/service-kit/http/limit-key';
import type { Identity, SignedIn } from '../identity.ts';
import { requestMail } from '../mail/request-mail.ts';
import { refuseGuessablePassword } from '../password/new-password.ts';
import { type Client, issueDeviceCookie, newDeviceKey } from '../session/device.ts';
import { endBrowserSession } from '../session/end-sessions.ts';
import { hashSid, openSession } from '../session/session.ts';
import type { Work } from '../store.ts';
import { emailTaken, roleOrNone, toUser } from './account.ts';

export interface SignUpInput extends Omit<Client, 'language'> {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  role?: string | undefined;
  /** Chosen; without it, the account follows the browser. */
  language?: Language | undefined;
  /** What the browser asks for. */
  browserLanguage: Language;
  /** Of the policies that the page showed; without it, nothing is known of what was read. */
  policiesVersion?: string | undefined;
  /** The session this browser had, if any: it ends. */
  oldSid: string | undefined;
}

/**
 * Makes a free account and signs it in; an e-mail asks to prove the address. Of several sign-ups with one address, one
 * succeeds. A taken address is refused after the same work, in vain, so that it takes as long; its owner is notified.
 * @throws AppError VALIDATION, EMAIL_TAKEN, POLICIES_CHANGED, RATE_LIMITED or UNAVAILABLE
 */
export async function signUp(identity: Identity, input: SignUpInput): Promise<SignedIn> {
  const { store, hasher, throttle, mailLimits, clock, sendsMails } = identity;
  const { email, language = input.browserLanguage } = input;
  refuseOtherPolicies(identity.policiesVersion, input.policiesVersion);
  await refuseGuessablePassword('password', input.password, input);
  const giveBack = await throttle.signUp(input.address);
  const passwordHash = await hasher
    .hash(input.password, limitKey(input.address))
    .catch(async (error: unknown) => {
      await giveBack();
      throw error;
    });
  const isMailed = sendsMails && (await mailLimits.signUpMail(email));
  // The unique index decides between concurrent sign-ups.
  const isTaken = (await store.accounts.byEmail(email)) !== undefined;
  const nowMs = clock.nowMs();
  const signedIn = await store.transaction(async (work) => {
    if (!isTaken) {
      const made = await open(identity, work, { ...input, passwordHash, nowMs });
      const userId = made.user.id;
      if (isMailed) await requestMail(work, { kind: 'confirm-email', email, language, userId }, nowMs);
      return made;
    }
    const decoy = {
      ...input,
      email: `${randomUUID()}@decoy.invalid`,
      // Ends no session, as often as the other does.
      oldSid: input.oldSid && randomUUID(),
      passwordHash,
      nowMs,
    };
    await work.rehearse(() => open(identity, work, decoy));
    if (isMailed) await requestMail(work, { kind: 'address-in-use', email, language }, nowMs);
    return undefined;
  });
  if (!signedIn) throw emailTaken();
  return signedIn;
}

/** Consent is to what was shown. The answer has the version that a page which is not loaded again needs. */
function refuseOtherPolicies(version: string | undefined, shown: string | undefined): void {
  if (version !== undefined && shown !== undefined && shown !== version)
    throw new AppError('POLICIES_CHANGED', 'POLICIES_CHANGED', { values: { version } });
}

interface NewPerson extends SignUpInput {
  passwordHash: string;
  nowMs: number;
}

/** Creates the account and its first session. @throws AppError EMAIL_TAKEN */
async function open(
  { lifetime, policiesVersion }: Identity,
  work: Work,
  {
    email,
    firstName,
    lastName,
    role,
    language,
    browserLanguage,
    policiesVersion: shownPolicies,
    passwordHash,
    browser,
    oldSid,
    nowMs,
  }: NewPerson,
): Promise<SignedIn> {
  const { accounts, sessions, publish } = work;
  const deviceKey = newDeviceKey();
  const account = await accounts.create({
    email,
    passwordHash,
    firstName,
    lastName,
    role: roleOrNone(role),
    tier: 'free',
    isDemo: false,
    emailVerified: false,
    language: language ?? null,
    lastLanguage: browserLanguage,
    policiesVersion: policiesVersion === undefined ? 'sample' : (shownPolicies ?? null),
    deviceKey,
    createdAtMs: nowMs,
  });
  if (oldSid) await endBrowserSession(work, hashSid(oldSid));
  const { sid, session } = openSession({ userId: account.id, browser }, nowMs, lifetime);
  await sessions.add(session);
  await publish(userSignedUp, { userId: account.id, email, firstName, lastName });
  const deviceCookie = issueDeviceCookie({ id: account.id, deviceKey }, nowMs);
  return { user: toUser(account), sid, deviceCookie };
}
