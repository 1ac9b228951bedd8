import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorOf, type IdentityFixture, PASSWORD, startIdentity } from './identity-fixture.ts';

const WINDOW_MINUTES = 15;
const WRONG = 'not the password';

let identity: IdentityFixture;
beforeEach(async () => {
  // Limits count real time: only the date is moved, timers and sockets run on.
  vi.useFakeTimers({ toFake: ['Date'] });
  identity = await startIdentity({
    env: {
      SIGN_IN_TRIES_PER_ACCOUNT: '4',
      SIGN_IN_TRIES_PER_ADDRESS: '6',
      SIGN_IN_WINDOW_MINUTES: String(WINDOW_MINUTES),
      SIGN_UPS_PER_ADDRESS: '3',
      PASSWORD_HASHES_AT_ONCE: '4',
    },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await identity.stop();
});

const passMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);
const statuses = async (answers: Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);
/** Every guess from another address. */
const guess = (email: string, nth: number, password = WRONG) =>
  identity.logIn(email, password, { address: `203.0.113.${nth}` });
const guesses = async (email: string, count: number) => {
  for (let nth = 1; nth <= count; nth++) await guess(email, nth);
};

test('after too many wrong passwords an account has to wait, even with the right one', async () => {
  await identity.signUp('ada@example.org');
  await guesses('ada@example.org', 4);
  const answer = await guess('ada@example.org', 100, PASSWORD);
  expect(answer.headers.get('retry-after')).toBe(String(WINDOW_MINUTES * 60));
  expect(await errorOf(answer)).toMatchObject({
    status: 429,
    code: 'RATE_LIMITED',
    error: 'Too many failed sign-ins for this account. Please try again in 15 minutes.',
  });
});

test('the owner gets in after the window, even though the guessing continued', async () => {
  await identity.signUp('owner@example.org');
  await guesses('owner@example.org', 4);
  passMinutes(WINDOW_MINUTES - 1);
  expect((await guess('owner@example.org', 50)).status).toBe(429);
  passMinutes(1);
  expect((await guess('owner@example.org', 51, PASSWORD)).status).toBe(200);
});

test('an unknown address is throttled like a known one, in the same words', async () => {
  await identity.signUp('known@example.org');
  await guesses('known@example.org', 4);
  await guesses('unknown@example.org', 4);
  const known = await errorOf(await guess('known@example.org', 50));
  expect(await errorOf(await guess('unknown@example.org', 51))).toEqual(known);
  expect(known.status).toBe(429);
});

test('writing the e-mail address in another way does not give more tries', async () => {
  await identity.signUp('case@example.org');
  await guesses('case@example.org', 2);
  await guesses(' CASE@Example.org ', 2);
  expect((await guess('Case@example.org', 50, PASSWORD)).status).toBe(429);
});

test('guesses sent side by side count like guesses sent in turn', async () => {
  await identity.signUp('burst@example.org');
  const answers = await statuses(Array.from({ length: 12 }, (_, nth) => guess('burst@example.org', nth)));
  expect(answers.filter((status) => status === 401)).toHaveLength(4);
  expect(answers.filter((status) => status === 429)).toHaveLength(8);
});

test('a success forgets the failures before it', async () => {
  await identity.signUp('forgetful@example.org');
  await guesses('forgetful@example.org', 3);
  expect((await guess('forgetful@example.org', 10, PASSWORD)).status).toBe(200);
  await guesses('forgetful@example.org', 3);
  expect((await guess('forgetful@example.org', 11, PASSWORD)).status).toBe(200);
});

test('one throttled account locks out no other', async () => {
  await identity.signUp('target@example.org');
  await identity.signUp('neighbour@example.org');
  await guesses('target@example.org', 5);
  expect((await guess('neighbour@example.org', 60, PASSWORD)).status).toBe(200);
});

test('an address that fails with many accounts has to wait, and can not lock more accounts', async () => {
  await identity.signUp('late@example.org');
  const from = { address: '198.51.100.7' };
  for (let nth = 0; nth < 6; nth++) await identity.logIn(`guess${nth}@example.org`, WRONG, from);
  for (let nth = 0; nth < 6; nth++) {
    const answer = await errorOf(await identity.logIn('late@example.org', WRONG, from));
    expect(answer).toMatchObject({
      status: 429,
      error: 'Too many failed sign-ins from your network. Please try again in 15 minutes.',
    });
  }
  expect((await identity.logIn('late@example.org', PASSWORD, { address: '198.51.100.8' })).status).toBe(200);
  passMinutes(WINDOW_MINUTES);
  expect((await identity.logIn('late@example.org', PASSWORD, from)).status).toBe(200);
});

test('successful sign-ins do not use up the tries of their address', async () => {
  await identity.signUp('office@example.org');
  for (let nth = 0; nth < 10; nth++) {
    expect((await identity.logIn('office@example.org')).status).toBe(200);
  }
});

test('a client can not choose the address it is counted under', async () => {
  for (let nth = 0; nth < 6; nth++) {
    await identity.logIn(`spoof${nth}@example.org`, WRONG, {
      headers: { 'x-forwarded-for': `10.0.0.${nth}` },
    });
  }
  const answer = await identity.logIn('spoof7@example.org', WRONG, {
    headers: { 'x-forwarded-for': '10.0.0.9' },
  });
  expect(answer.status).toBe(429);
});

test('one address can create only a limited number of accounts an hour', async () => {
  for (let nth = 0; nth < 3; nth++) await identity.signUp(`n${nth}@example.org`);
  const body = { email: 'n3@example.org', password: PASSWORD, firstName: 'N', lastName: 'N' };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(answer.headers.get('retry-after')).toBe('3600');
  expect(await errorOf(answer)).toMatchObject({
    status: 429,
    error: 'Too many accounts were created from your network. Please try again in 60 minutes.',
  });
  await identity.signUp('other-network@example.org', { address: '198.51.100.9' });
  passMinutes(60);
  await identity.signUp('n3@example.org');
});

test('a session that guesses the password of its account has to wait, on all routes together', async () => {
  const { user: as } = await identity.signUp('stolen@example.org');
  const tries = [
    ['POST', '/api/auth/email', { email: 'x@example.org', currentPassword: WRONG }],
    ['POST', '/api/auth/password', { currentPassword: WRONG, newPassword: 'another password' }],
    ['DELETE', '/api/auth/me', { currentPassword: WRONG }],
    ['DELETE', '/api/auth/me', { currentPassword: WRONG }],
  ] as const;
  for (const [method, path, body] of tries) {
    expect((await identity.send(method, path, { as, body })).status).toBe(403);
  }
  const body = { currentPassword: PASSWORD };
  const answer = await identity.send('DELETE', '/api/auth/me', { as, body });
  expect(await errorOf(answer)).toMatchObject({
    status: 429,
    error: 'Too many wrong passwords. Please try again in 15 minutes.',
  });
  passMinutes(WINDOW_MINUTES);
  expect((await identity.send('DELETE', '/api/auth/me', { as, body })).status).toBe(200);
});
