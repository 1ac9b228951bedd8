import { userSignedUp } from '@casewatch/contracts/events';
import { limitKey } from '@casewatch/service-kit/http/limit-key';
import { emailTaken, roleOrNone, toUser } from './account.ts';
import { type Browser, issueDeviceCookie, newDeviceKey } from './device.ts';
import type { Identity, SignedIn } from './identity.ts';
import { refuseGuessablePassword } from './new-password.ts';
import { requestMail } from './request-mail.ts';
import { hashSid, openSession } from './session.ts';

export interface SignUpInput {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  role?: string | undefined;
  address: string;
  browser: Browser;
  /** The session this browser had, if any: it ends. */
  oldSid: string | undefined;
}

/**
 * Makes a free account and signs it in; an e-mail asks to prove the address. Of several sign-ups with one address, one
 * succeeds. A taken address is refused at the same cost, and its owner is notified.
 * @throws AppError VALIDATION, EMAIL_TAKEN, RATE_LIMITED or UNAVAILABLE
 */
export async function signUp(identity: Identity, input: SignUpInput): Promise<SignedIn> {
  const { store, hasher, throttle, clock, lifetime, sendsMails } = identity;
  const { email, firstName, lastName } = input;
  await refuseGuessablePassword('password', input.password, input);
  const giveBack = await throttle.signUp(input.address);
  const passwordHash = await hasher
    .hash(input.password, limitKey(input.address))
    .catch(async (error: unknown) => {
      await giveBack();
      throw error;
    });
  const isMailed = sendsMails && (await throttle.mailTo(email)) === undefined;
  const nowMs = clock.nowMs();
  // The unique index decides between concurrent sign-ups.
  if (await store.accounts.byEmail(email)) {
    if (isMailed) {
      await store.transaction((work) => requestMail(work, { kind: 'address-in-use', email }, nowMs));
    }
    throw emailTaken();
  }
  return store.transaction(async (work) => {
    const { accounts, sessions, publish } = work;
    const deviceKey = newDeviceKey();
    const account = await accounts.create({
      email,
      passwordHash,
      firstName,
      lastName,
      role: roleOrNone(input.role),
      tier: 'free',
      isDemo: false,
      emailVerified: !sendsMails,
      deviceKey,
      createdAtMs: nowMs,
    });
    if (input.oldSid) await sessions.end(hashSid(input.oldSid));
    const { sid, session } = openSession({ userId: account.id, browser: input.browser }, nowMs, lifetime);
    await sessions.add(session);
    await publish(userSignedUp, { userId: account.id, email, firstName, lastName });
    if (isMailed) await requestMail(work, { kind: 'confirm-email', email, userId: account.id }, nowMs);
    return {
      user: toUser(account),
      sid,
      deviceCookie: issueDeviceCookie({ id: account.id, deviceKey }, nowMs),
    };
  });
}
