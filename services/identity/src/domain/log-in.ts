import { userLoggedIn } from '@casewatch/contracts/events';
import { AppError } from '@casewatch/platform/errors/app-error';
import { toUser } from './account.ts';
import type { Identity, SignedIn } from './identity.ts';
import { hashSid, openSession } from './session.ts';

export interface LogInInput {
  email: string;
  password: string;
  address: string;
  /** The session this browser had, if any: it ends, whoever's it was. */
  oldSid: string | undefined;
}

/**
 * Signs in under a new session id. An unknown address and a wrong password cost the same and read the same.
 * @throws AppError INVALID_CREDENTIALS, RATE_LIMITED or UNAVAILABLE
 */
export async function logIn(identity: Identity, input: LogInInput): Promise<SignedIn> {
  const { store, hasher, throttle, clock, lifetime } = identity;
  const attempt = await throttle.signIn(input.email, input.address);
  const found = await store.accounts.byEmail(input.email);
  const known = found?.isDemo && !identity.demoAccounts ? undefined : found;
  const matches = await hasher.verify(known?.passwordHash, input.password).catch(async (error: unknown) => {
    await attempt.undo();
    throw error;
  });
  if (!known || !matches) throw invalidCredentials();

  const signedIn = await store.transaction(async ({ accounts, sessions, publish }) => {
    const account = await accounts.countLogin(known.id, known.passwordHash);
    if (!account) throw invalidCredentials();
    if (input.oldSid) await sessions.end(hashSid(input.oldSid));
    const { sid, session } = openSession(account.id, clock.nowMs(), lifetime);
    await sessions.add(session);
    await publish(userLoggedIn, { userId: account.id, loginCount: account.loginCount });
    return { user: toUser(account), sid };
  });
  await attempt.succeeded();
  return signedIn;
}

function invalidCredentials(): AppError {
  return new AppError('INVALID_CREDENTIALS', 'Invalid email or password');
}
