import { createHash } from 'node:crypto';
import type { Limiter, LimiterFactory } from '@casewatch/platform/cache/limiter';
import { AppError } from '@casewatch/platform/errors/app-error';
import { emailKey } from './account.ts';

export interface ThrottleRules {
  triesPerAccount: number;
  triesPerAddress: number;
  windowSeconds: number;
  signUpsPerAddress: number;
}

/** A try that was let through. It stays counted unless it is cleared. */
export interface Try {
  /** The password was right: the failures before it are forgotten. */
  succeeded(): Promise<void>;
  /** Nothing was learned from it (the server was too busy): it does not count. */
  undo(): Promise<void>;
}

/** Each method takes a try before anything is hashed, and throws AppError RATE_LIMITED when none is left. */
export interface Throttle {
  signIn(email: string, address: string): Promise<Try>;
  signUp(address: string): Promise<Try>;
  /** A signed-in person gives their password again. */
  passwordCheck(userId: string): Promise<Try>;
}

const SIGN_UP_WINDOW_SECONDS = 3_600;

/** A try is taken before its password is checked, so that guesses sent side by side are counted too. */
export function createThrottle(limiters: LimiterFactory, rules: ThrottleRules): Throttle {
  const { triesPerAccount, triesPerAddress, windowSeconds, signUpsPerAddress } = rules;
  const account = limiters({ name: 'sign-in-account', points: triesPerAccount, perSeconds: windowSeconds });
  const address = limiters({ name: 'sign-in-address', points: triesPerAddress, perSeconds: windowSeconds });
  const password = limiters({ name: 'password-check', points: triesPerAccount, perSeconds: windowSeconds });
  const signUps = limiters({
    name: 'sign-up-address',
    points: signUpsPerAddress,
    perSeconds: SIGN_UP_WINDOW_SECONDS,
  });

  return {
    async signIn(email, from) {
      const key = accountKey(email);
      // The address first: one that has used up its tries can't use up an account's as well.
      await take(address, from, 'Too many failed sign-ins from your network.');
      await take(account, key, 'Too many failed sign-ins for this account.');
      return {
        succeeded: async () => {
          await Promise.all([account.reset(key), address.giveBack(from)]);
        },
        undo: async () => {
          await Promise.all([account.giveBack(key), address.giveBack(from)]);
        },
      };
    },
    async signUp(from) {
      await take(signUps, from, 'Too many accounts were created from your network.');
      return { succeeded: async () => undefined, undo: () => signUps.giveBack(from) };
    },
    async passwordCheck(userId) {
      await take(password, userId, 'Too many wrong passwords.');
      return { succeeded: () => password.reset(userId), undo: () => password.giveBack(userId) };
    },
  };
}

async function take(limiter: Limiter, key: string, refusal: string): Promise<void> {
  refuseAfter(await limiter.take(key), refusal);
}

/** @throws AppError RATE_LIMITED when there is a time to wait */
export function refuseAfter(waitSeconds: number | undefined, refusal: string): void {
  if (waitSeconds === undefined) return;
  throw new AppError('RATE_LIMITED', `${refusal} Please try again in ${inWords(waitSeconds)}.`, {
    retryAfterSeconds: waitSeconds,
  });
}

/** Limits may be kept in a shared store, which need not hold anybody's e-mail address. */
function accountKey(email: string): string {
  return createHash('sha256').update(emailKey(email)).digest('base64url');
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
