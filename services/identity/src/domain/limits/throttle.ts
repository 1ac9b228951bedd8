import type { LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import { checkCounted, type Guess, type GuessLimit } from './counted-check.ts';
import { accountKey, giveBackAll, hashed, networksOf, SITE_FACTOR, takeAll } from './take-limits.ts';

export interface ThrottleRules {
  triesPerAccount: number;
  /** Of an IPv4 address or an IPv6 /64. */
  triesPerAddress: number;
  windowSeconds: number;
  signUpsPerAddress: number;
}

export interface SignInFrom {
  email: string;
  address: string;
  /** The id of the account's device cookie that the browser sent, if it is a valid one. */
  deviceId: string | undefined;
}

export interface PasskeySignInFrom extends Pick<SignInFrom, 'address' | 'deviceId'> {
  credentialId: string;
}

type Verify = (guess: Guess) => Promise<boolean>;

/** Limits guesses and sign-ups; each method throws AppError RATE_LIMITED when none is left. */
export interface Throttle {
  /** Runs `verify` as a sign-in: counted for its device, or for the account and the network of an outsider. */
  signIn(from: SignInFrom, verify: Verify): Promise<boolean>;
  /**
   * Runs a sign-in whose account is not known before: one that is not right counts for the network alone, and those
   * beyond its tries do not run.
   */
  signInFrom<T>(address: string, attempt: () => Promise<T>, isRight: (outcome: T) => boolean): Promise<T>;
  /** The same for a passkey: its failures count for it alone, and never keep out the account's password. */
  passkeySignIn(from: PasskeySignInFrom, verify: Verify): Promise<boolean>;
  /** Takes one challenge for a sign-in with a passkey. */
  passkeyChallenge(address: string): Promise<void>;
  /** Runs `verify` for a signed-in person who gives their password again. */
  passwordCheck(userId: string, verify: Verify): Promise<boolean>;
  /** Takes one sign-up. The result undoes that, for when the server was too busy to continue. */
  signUp(address: string): Promise<() => Promise<void>>;
  /** Clears the account's failed sign-ins. */
  clearSignIns(email: string): Promise<void>;
}

/** Each look at the sign-in screen takes a challenge. */
const CHALLENGES_PER_TRY = 20;
const HOUR_SECONDS = 3_600;

export function createThrottle(limiters: LimiterFactory, rules: ThrottleRules): Throttle {
  const { triesPerAccount, triesPerAddress, windowSeconds, signUpsPerAddress } = rules;
  const guesses = (name: string, points: number) => limiters({ name, points, perSeconds: windowSeconds });
  const account = guesses('sign-in-account', triesPerAccount);
  const device = guesses('sign-in-device', triesPerAccount);
  const address = guesses('sign-in-address', triesPerAddress);
  const site = guesses('sign-in-site', triesPerAddress * SITE_FACTOR);
  const passkey = guesses('sign-in-passkey', triesPerAccount);
  const addressChallenges = guesses('passkey-challenge-address', triesPerAddress * CHALLENGES_PER_TRY);
  const siteChallenges = guesses(
    'passkey-challenge-site',
    triesPerAddress * CHALLENGES_PER_TRY * SITE_FACTOR,
  );
  const password = guesses('password-check', triesPerAccount);
  const hourly = (name: string, points: number) => limiters({ name, points, perSeconds: HOUR_SECONDS });
  const addressSignUps = hourly('sign-up-address', signUpsPerAddress);
  const siteSignUps = hourly('sign-up-site', signUpsPerAddress * SITE_FACTOR);

  const outsiders = (from: string) =>
    networksOf(from, { address, site }, 'too-many-sign-ins-network').map((network): GuessLimit => {
      return { ...network, clearedBySuccess: false };
    });

  /** Counts for a known browser alone, so that outsiders can lock out outsiders only; else for the network and `own`. */
  function signIn(own: GuessLimit, { address: from, deviceId }: Omit<SignInFrom, 'email'>, verify: Verify) {
    if (deviceId !== undefined) return checkCounted([{ ...own, limiter: device, key: deviceId }], verify);
    // Networks first: one that has used up its tries can't use up an account's as well.
    return checkCounted([...outsiders(from), own], verify);
  }

  return {
    signIn({ email, ...from }, verify) {
      const key = accountKey(email);
      return signIn(
        { limiter: account, key, refusal: 'too-many-sign-ins-account', clearedBySuccess: true },
        from,
        verify,
      );
    },
    passkeySignIn({ credentialId, ...from }, verify) {
      const key = hashed(credentialId);
      return signIn(
        { limiter: passkey, key, refusal: 'too-many-sign-ins-passkey', clearedBySuccess: true },
        from,
        verify,
      );
    },
    async signInFrom(from, attempt, isRight) {
      const done: { outcome: Awaited<ReturnType<typeof attempt>> }[] = [];
      await checkCounted(outsiders(from), (guess) =>
        guess.count(async () => {
          const outcome = await attempt();
          done.push({ outcome });
          return isRight(outcome);
        }),
      );
      const [{ outcome } = unanswered()] = done;
      return outcome;
    },
    async passkeyChallenge(from) {
      await takeAll(
        networksOf(from, { address: addressChallenges, site: siteChallenges }, 'too-many-sign-ins-begun'),
      );
    },
    passwordCheck: (userId, verify) =>
      checkCounted(
        [{ limiter: password, key: userId, refusal: 'too-many-passwords', clearedBySuccess: true }],
        verify,
      ),
    async signUp(from) {
      const networks = networksOf(from, { address: addressSignUps, site: siteSignUps }, 'too-many-sign-ups');
      await takeAll(networks);
      return () => giveBackAll(networks);
    },
    clearSignIns: (email) => account.reset(accountKey(email)),
  };
}

function unanswered(): never {
  throw new Error('a counted attempt ended without an outcome');
}
