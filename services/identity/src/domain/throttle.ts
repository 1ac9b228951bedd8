import { createHash } from 'node:crypto';
import { limitKey, siteKey } from '@casewatch/service-kit/http/limit-key';
import type { Limiter, LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import { emailKey } from './account.ts';
import { checkCounted, type Guess, type GuessLimit, refuseAfter } from './counted-check.ts';

export interface ThrottleRules {
  triesPerAccount: number;
  /** Of an IPv4 address or an IPv6 /64. */
  triesPerAddress: number;
  windowSeconds: number;
  signUpsPerAddress: number;
  /** E-mails about accounts to one address within an hour. */
  mailsPerAddress: number;
  /** Requests for them from one network within an hour. */
  mailsPerNetwork: number;
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
  /** Runs `verify` as a sign-in: counted for its device, or for the account and the network of a stranger. */
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
  /** Takes one request for an e-mail from this network. */
  mailRequest(address: string): Promise<void>;
  /** Takes one e-mail to this address, whether or not it has an account; resolves to the seconds to wait, and throws nothing. */
  mailTo(email: string): Promise<number | undefined>;
}

/**
 * How many times as much a whole IPv6 /48 has as one /64 of it. A /48 is one site (RFC 6177) or, at some mobile
 * carriers, many people: enough for a few networks that misbehave at a time, far from the 65,536 it could claim.
 */
export const SITE_FACTOR = 10;
/** Each look at the sign-in screen takes a challenge. */
const CHALLENGES_PER_TRY = 20;
const HOUR_SECONDS = 3_600;
const ACCOUNT_REFUSAL = 'Too many failed sign-ins for this account.';
const PASSKEY_REFUSAL = 'Too many failed sign-ins with this passkey.';
const CHALLENGE_REFUSAL = 'Too many sign-ins were begun from your network.';
const ADDRESS_REFUSAL = 'Too many failed sign-ins from your network.';
export const TOO_MANY_MAILS = 'Too many emails were requested for this address.';
const MAIL_REFUSAL = 'Too many emails were requested from your network.';
const SIGN_UP_REFUSAL = 'Too many accounts were created from your network.';

export function createThrottle(limiters: LimiterFactory, rules: ThrottleRules): Throttle {
  const { triesPerAccount, triesPerAddress, windowSeconds, signUpsPerAddress } = rules;
  const { mailsPerAddress, mailsPerNetwork } = rules;
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
  const mails = hourly('account-mail', mailsPerAddress);
  const addressMails = hourly('account-mail-network', mailsPerNetwork);
  const siteMails = hourly('account-mail-site', mailsPerNetwork * SITE_FACTOR);

  const strangers = (from: string) =>
    networksOf(from, { address, site }).map((network): GuessLimit => {
      return { ...network, refusal: ADDRESS_REFUSAL, clearedBySuccess: false };
    });

  /** Counts for a known browser alone, so that strangers can lock out strangers only; else for the network and `own`. */
  function signIn(own: GuessLimit, { address: from, deviceId }: Omit<SignInFrom, 'email'>, verify: Verify) {
    if (deviceId !== undefined) return checkCounted([{ ...own, limiter: device, key: deviceId }], verify);
    // Networks first: one that has used up its tries can't use up an account's as well.
    return checkCounted([...strangers(from), own], verify);
  }

  return {
    signIn({ email, ...from }, verify) {
      const key = accountKey(email);
      return signIn(
        { limiter: account, key, refusal: ACCOUNT_REFUSAL, clearedBySuccess: true },
        from,
        verify,
      );
    },
    passkeySignIn({ credentialId, ...from }, verify) {
      const key = hashed(credentialId);
      return signIn(
        { limiter: passkey, key, refusal: PASSKEY_REFUSAL, clearedBySuccess: true },
        from,
        verify,
      );
    },
    async signInFrom(from, attempt, isRight) {
      const done: { outcome: Awaited<ReturnType<typeof attempt>> }[] = [];
      await checkCounted(strangers(from), (guess) =>
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
      const networks = networksOf(from, { address: addressChallenges, site: siteChallenges });
      for (const { limiter, key } of networks) refuseAfter(await limiter.take(key), CHALLENGE_REFUSAL);
    },
    passwordCheck: (userId, verify) =>
      checkCounted(
        [{ limiter: password, key: userId, refusal: 'Too many wrong passwords.', clearedBySuccess: true }],
        verify,
      ),
    async signUp(from) {
      const networks = networksOf(from, { address: addressSignUps, site: siteSignUps });
      for (const { limiter, key } of networks) refuseAfter(await limiter.take(key), SIGN_UP_REFUSAL);
      return async () => {
        await Promise.all(networks.map(({ limiter, key }) => limiter.giveBack(key)));
      };
    },
    clearSignIns: (email) => account.reset(accountKey(email)),
    async mailRequest(from) {
      const networks = networksOf(from, { address: addressMails, site: siteMails });
      for (const { limiter, key } of networks) refuseAfter(await limiter.take(key), MAIL_REFUSAL);
    },
    mailTo: (email) => mails.take(accountKey(email)),
  };
}

function unanswered(): never {
  throw new Error('a counted attempt ended without an outcome');
}

function networksOf(address: string, limiters: { address: Limiter; site: Limiter }) {
  const site = siteKey(address);
  const own = { limiter: limiters.address, key: limitKey(address) };
  return site === undefined ? [own] : [own, { limiter: limiters.site, key: site }];
}

/** Limits may be kept in a shared store, which should hold no email addresses. */
function accountKey(email: string): string {
  return hashed(emailKey(email));
}

function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
