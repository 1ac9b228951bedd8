import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SITE_FACTOR } from '../src/domain/limits/take-limits.ts';
import { errorOf, type IdentityFixture, PASSWORD, startIdentity } from './identity-fixture.ts';

const WRONG = 'not the password';
const TRIES = 3;

let identity: IdentityFixture;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  identity = await startIdentity({
    env: {
      SIGN_IN_TRIES_PER_ADDRESS: String(TRIES),
      SIGN_UPS_PER_ADDRESS: String(TRIES),
      ADMIN_PASSCODE: 'passcode-for-tests',
      ADMIN_TRIES_PER_ADDRESS: String(TRIES),
    },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await identity.stop();
});

let email = 0;
/** Sends to each address in turn; resolves to how many were let through before the first 429. */
async function letThrough(addresses: Iterable<string>, send: (address: string) => Promise<Response>) {
  let count = 0;
  for (const address of addresses) {
    if ((await send(address)).status === 429) return count;
    count += 1;
  }
  return count;
}
const signIn = (address: string) => identity.logIn(`nobody${++email}@example.org`, WRONG, { address });
const signUp = (address: string) =>
  identity.send('POST', '/api/auth/signup', {
    address,
    body: { email: `new${++email}@example.org`, password: PASSWORD, firstName: 'A', lastName: 'B' },
  });
const passcode = (address: string) =>
  identity.send('POST', '/api/admin/login', { address, body: { passcode: 'not the passcode' } });

const WAYS = [
  ['failed sign-ins', signIn],
  ['sign-ups', signUp],
  ['wrong passcodes', passcode],
] as const;
const times = (count: number, address: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => address(nth));

test.each(WAYS)('from one IPv6 /64 as many %s pass as from one IPv4 address', async (_, send) => {
  expect(
    await letThrough(
      times(TRIES + 2, () => '198.51.100.7'),
      send,
    ),
  ).toBe(TRIES);
  expect(
    await letThrough(
      times(TRIES + 2, (nth) => `2001:db8:1:2::${nth + 1}`),
      send,
    ),
  ).toBe(TRIES);
});

test.each(WAYS)('%s of an IPv4 client count the same on an IPv6 socket', async (_, send) => {
  const spellings = ['198.51.100.8', '::ffff:198.51.100.8', '::ffff:c633:6408', '198.51.100.8'];
  expect(await letThrough(spellings, send)).toBe(TRIES);
});

test.each(WAYS.slice(0, 2))(
  'the many networks of one IPv6 /48 share a limit of %s, and lock out no others',
  async (_, send) => {
    const limit = TRIES * SITE_FACTOR;
    expect(
      await letThrough(
        times(limit + 5, (nth) => `2001:db8:7:${nth.toString(16)}::1`),
        send,
      ),
    ).toBe(limit);
    expect((await send('2001:db8:8::1')).status).not.toBe(429);
    expect((await send('198.51.100.9')).status).not.toBe(429);
  },
);

test('a throttled /48 gets the same text as one address', async () => {
  await letThrough(
    times(TRIES * SITE_FACTOR, (nth) => `2001:db8:7:${nth.toString(16)}::1`),
    signIn,
  );
  expect(await errorOf(await signIn('2001:db8:7:ffff::1'))).toMatchObject({
    status: 429,
    error: 'Too many failed sign-ins from your network. Please try again in 15 minutes.',
  });
});
