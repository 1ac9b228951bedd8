import { type LimiterFactory, memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { expect, test } from 'vitest';
import { createAdminThrottle } from './admin-throttle.ts';
import { createMailLimits } from './mail-limits.ts';
import { createThrottle, type ThrottleRules } from './throttle.ts';

const RULES: ThrottleRules = {
  triesPerAccount: 5,
  triesPerAddress: 2,
  windowSeconds: 900,
  signUpsPerAddress: 3,
};

/** Limits in memory, with what they are asked for. */
function recording() {
  const rules: [string, number, number][] = [];
  const keys: string[] = [];
  const limiters: LimiterFactory = (rule) => {
    rules.push([rule.name, rule.points, rule.perSeconds]);
    const limiter = memoryLimiters(rule);
    const peek = (key: string) => {
      keys.push(key);
      return limiter.peek(key);
    };
    return { ...limiter, peek };
  };
  return { limiters, rules, keys };
}
const counted = (isRight: boolean) => (guess: { count(check: () => Promise<boolean>): Promise<boolean> }) =>
  guess.count(async () => isRight);

test('each limit has a name of its own, its tries and its window; a /48 has ten times those of a /64', () => {
  const { limiters, rules } = recording();
  createThrottle(limiters, RULES);
  createMailLimits(limiters, { perRecipient: 4, perAccount: 2, perNetwork: 1 });
  createAdminThrottle(limiters, { triesPerAddress: 6, triesOverall: 7 });
  expect(rules.toSorted()).toEqual([
    ['account-mail', 4, 3_600],
    ['account-mail-account', 2, 3_600],
    ['account-mail-account-day', 4, 86_400],
    ['account-mail-network', 1, 3_600],
    ['account-mail-own', 4, 3_600],
    ['account-mail-own-mailbox', 16, 3_600],
    ['account-mail-reset', 1, 900],
    ['account-mail-site', 10, 3_600],
    ['admin-address', 6, 900],
    ['admin-device', 6, 900],
    ['admin-overall', 7, 900],
    ['passkey-challenge-address', 40, 900],
    ['passkey-challenge-site', 400, 900],
    ['password-change', 5, 3_600],
    ['password-check', 5, 900],
    ['sign-in-account', 5, 900],
    ['sign-in-address', 2, 900],
    ['sign-in-device', 5, 900],
    ['sign-in-passkey', 5, 900],
    ['sign-in-site', 20, 900],
    ['sign-up-address', 3, 3_600],
    ['sign-up-site', 30, 3_600],
  ]);
});

test('limits are kept under keys that name no email address and no passkey', async () => {
  const { limiters, keys } = recording();
  const throttle = createThrottle(limiters, RULES);
  await throttle.signIn(
    { email: 'Ada@example.org', address: '192.0.2.1', deviceId: undefined },
    counted(true),
  );
  await throttle.passkeySignIn(
    { credentialId: 'ada-key', address: '192.0.2.1', deviceId: undefined },
    counted(true),
  );
  expect(keys.length).toBeGreaterThan(3);
  expect(keys.join(' ').toLowerCase()).not.toContain('ada');
});

test('a sign-in of its own does not give a network new guesses at others', async () => {
  const throttle = createThrottle(memoryLimiters, RULES);
  const signIn = (email: string, isRight: boolean) =>
    throttle.signIn({ email, address: '192.0.2.1', deviceId: undefined }, counted(isRight));
  await signIn('ada@example.org', false);
  expect(await signIn('mallory@example.org', true)).toBe(true);
  await signIn('bob@example.org', false);
  await expect(signIn('mallory@example.org', true)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('a sign-up that is given back counts neither for its network nor for the /48 of it', async () => {
  const throttle = createThrottle(memoryLimiters, { ...RULES, signUpsPerAddress: 1 });
  for (let nth = 0; nth < 20; nth++) await (await throttle.signUp('2001:db8:7::1'))();
  await throttle.signUp('2001:db8:7::1');
  await expect(throttle.signUp('2001:db8:7::1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('the passcode that is entered at an unknown address does not clear what others have guessed', async () => {
  const throttle = createAdminThrottle(memoryLimiters, { triesPerAddress: 5, triesOverall: 2 });
  const enter = (address: string, isRight: boolean, isKnown = false) =>
    throttle.passcode({ address, isKnown, deviceId: undefined }, () => isRight);
  for (let nth = 0; nth < 4; nth++) await enter('192.0.2.9', false, true);
  await enter('192.0.2.1', false);
  expect(await enter('192.0.2.2', true)).toBe(true);
  await enter('192.0.2.3', false);
  await expect(enter('192.0.2.2', true)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(await enter('192.0.2.9', true, true)).toBe(true);
});
