import { userSignedUp } from '@casewatch/contracts/events';
import { limitKey } from '@casewatch/service-kit/http/limit-key';
import { roleOrNone, toUser } from './account.ts';
import { issueDeviceCookie, newDeviceKey } from './device.ts';
import { emailTaken } from './email-taken.ts';
import type { Identity, SignedIn } from './identity.ts';
import { refuseGuessablePassword } from './new-password.ts';
import { hashSid, openSession } from './session.ts';

export interface SignUpInput {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  role?: string | undefined;
  address: string;
  /** The session this browser had, if any: it ends. */
  oldSid: string | undefined;
}

/**
 * Makes a free account and signs it in. Of several sign-ups with one e-mail address, one succeeds.
 * @throws AppError VALIDATION, EMAIL_TAKEN, RATE_LIMITED or UNAVAILABLE
 */
export async function signUp(identity: Identity, input: SignUpInput): Promise<SignedIn> {
  const { store, hasher, throttle, clock, lifetime } = identity;
  const { email, firstName, lastName } = input;
  await refuseGuessablePassword('password', input.password, input);
  const giveBack = await throttle.signUp(input.address);
  // Spares the hash where the answer is known; the unique index decides between those who come together.
  if (await store.accounts.byEmail(email)) throw emailTaken();
  const passwordHash = await hasher
    .hash(input.password, limitKey(input.address))
    .catch(async (error: unknown) => {
      await giveBack();
      throw error;
    });
  return store.transaction(async ({ accounts, sessions, publish }) => {
    const nowMs = clock.nowMs();
    const deviceKey = newDeviceKey();
    const account = await accounts.create({
      email,
      passwordHash,
      firstName,
      lastName,
      role: roleOrNone(input.role),
      tier: 'free',
      isDemo: false,
      deviceKey,
      createdAtMs: nowMs,
    });
    if (input.oldSid) await sessions.end(hashSid(input.oldSid));
    const { sid, session } = openSession(account.id, nowMs, lifetime);
    await sessions.add(session);
    await publish(userSignedUp, { userId: account.id, email, firstName, lastName });
    return {
      user: toUser(account),
      sid,
      deviceCookie: issueDeviceCookie({ id: account.id, deviceKey }, nowMs),
    };
  });
}
