import { userLoggedIn } from '@casewatch/contracts/events';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type Account, toUser } from '../account/account.ts';
import type { Identity, SignedIn } from '../identity.ts';
import { notifyAddress } from '../mail/request-mail.ts';
import type { Work } from '../store.ts';
import { type Client, issueDeviceCookie, knownDeviceId } from './device.ts';
import { endBrowserSession } from './end-sessions.ts';
import { hashSid, openSession } from './session.ts';

export interface LogInInput extends Client {
  email: string;
  password: string;
  /** The browser's previous session, if any: it ends, whichever account it belonged to. */
  oldSid: string | undefined;
  /** What the browser was given when it signed in before, if it did. */
  deviceCookie: string | undefined;
}

/**
 * Signs in under a new session id. An unknown address and a wrong password cost the same and read the same.
 * @throws AppError INVALID_CREDENTIALS, RATE_LIMITED or UNAVAILABLE
 */
export async function logIn(identity: Identity, input: LogInInput): Promise<SignedIn> {
  const { store, hasher, throttle, clock } = identity;
  const found = await store.accounts.byEmail(input.email);
  const known = found?.isDemo && !identity.demoAccounts ? undefined : found;
  const deviceId = known && knownDeviceId(input.deviceCookie, known, clock.nowMs());
  const { email, address } = input;
  const matches = await throttle.signIn({ email, address, deviceId }, (guess) =>
    hasher.verify(known?.passwordHash, input.password, guess),
  );
  if (!known || !matches) throw invalidCredentials();

  return store.transaction(async (work) => {
    const account = await work.accounts.countLogin(known.id, known.passwordHash, input.language);
    if (!account) throw invalidCredentials();
    return openFor(identity, work, account, { ...input, isKnownDevice: deviceId !== undefined });
  });
}

/**
 * Opens a session of the account within the transaction that counted the sign-in. One that the browser had is over; of the same
 * account it is continued, under its id and another secret, so that the browser keeps its push messages.
 */
export async function openFor(
  identity: Identity,
  work: Work,
  account: Account,
  {
    browser,
    language,
    oldSid,
    isKnownDevice,
  }: Pick<LogInInput, 'browser' | 'language' | 'oldSid'> & { isKnownDevice: boolean },
): Promise<SignedIn> {
  const { sessions, publish } = work;
  const id = oldSid && (await endBrowserSession(work, hashSid(oldSid), account.id));
  const nowMs = identity.clock.nowMs();
  const { sid, session } = openSession(
    { userId: account.id, browser, id: id || undefined },
    nowMs,
    identity.lifetime,
  );
  await sessions.add(session);
  if (!isKnownDevice) {
    await notifyAddress(identity, work, account, { kind: 'new-device', browser, language }, nowMs);
  }
  await publish(userLoggedIn, { userId: account.id, loginCount: account.loginCount });
  return {
    user: toUser(account),
    sid,
    deviceCookie: issueDeviceCookie(account, nowMs),
  };
}

function invalidCredentials(): AppError {
  return new AppError('INVALID_CREDENTIALS');
}
