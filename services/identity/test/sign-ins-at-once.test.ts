import { memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { afterEach, expect, test } from 'vitest';
import { type IdentityFixture, PASSWORD, startIdentity } from './identity-fixture.ts';

const WRONG = 'not the password';

let started: IdentityFixture[] = [];
afterEach(async () => {
  for (const identity of started.reverse()) await identity.stop();
  started = [];
});
async function start(options: Parameters<typeof startIdentity>[0] = {}) {
  const identity = await startIdentity(options);
  started.push(identity);
  return identity;
}

const times = <T>(count: number, send: (nth: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => send(nth)));
const countOf = (answers: Response[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

test('of more right sign-ins at once from one network than it has tries, each succeeds', async () => {
  const identity = await start();
  await times(3, (nth) => identity.signUp(`person${nth}@example.org`));
  const answers = await times(60, (nth) => identity.logIn(`person${nth % 3}@example.org`));
  expect(countOf(answers, 200)).toBe(60);
});

test('of 40 right sign-ins to one account sent at once each succeeds', async () => {
  const identity = await start({ env: { PASSWORD_HASHES_AT_ONCE: '8', SIGN_IN_TRIES_PER_ACCOUNT: '3' } });
  await identity.signUp('ada@example.org');
  const answers = await times(40, () => identity.logIn('ada@example.org'));
  expect(countOf(answers, 200)).toBe(40);
});

test('of 200 wrong passwords sent at once no more are checked than the network has tries', async () => {
  const identity = await start({ env: { PASSWORD_HASHES_WAITING: '1000' } });
  const answers = await times(200, (nth) => identity.logIn(`nobody${nth}@example.org`, WRONG));
  expect(countOf(answers, 401)).toBe(50);
  expect(countOf(answers, 429)).toBe(150);
});

test('of 200 wrong passwords for one account sent at once from everywhere ten are checked', async () => {
  const identity = await start({ env: { PASSWORD_HASHES_WAITING: '1000' } });
  await identity.signUp('ada@example.org');
  const answers = await times(200, (nth) =>
    identity.logIn('ada@example.org', WRONG, { address: `203.0.113.${nth}` }),
  );
  expect(countOf(answers, 401)).toBe(10);
  expect(countOf(answers, 429)).toBe(190);
});

test('right and wrong ones at once: no wrong one beyond the tries is checked, in two processes together', async () => {
  // Limits by name, as a shared store keeps them.
  const shared = new Map<string, ReturnType<typeof memoryLimiters>>();
  const limiters: typeof memoryLimiters = (rule) => {
    const limiter = shared.get(rule.name) ?? memoryLimiters(rule);
    shared.set(rule.name, limiter);
    return limiter;
  };
  const env = {
    PASSWORD_HASHES_AT_ONCE: '4',
    PASSWORD_HASHES_WAITING: '1000',
    SIGN_IN_TRIES_PER_ADDRESS: '12',
  };
  const one = await start({ limiters, env });
  const two = await start({ limiters, env, database: one.database });
  const people = ['ada', 'bob', 'cleo', 'dora'];
  for (const name of people) await one.signUp(`${name}@example.org`);
  const answers = await times(160, (nth) => {
    const identity = nth % 2 ? one : two;
    const email = `${people[nth % people.length]}@example.org`;
    return identity.logIn(email, nth % 5 < 2 ? WRONG : PASSWORD);
  });
  expect(countOf(answers, 401)).toBeLessThanOrEqual(12);
  expect(countOf(answers, 401) + countOf(answers, 429) + countOf(answers, 200)).toBe(160);
  expect(countOf(await times(20, (nth) => one.logIn(`nobody${nth}@example.org`, WRONG)), 401)).toBe(
    12 - countOf(answers, 401),
  );
});

test('a network beyond the hashing capacity is refused, and others are served at the same time', async () => {
  const identity = await start({ env: { PASSWORD_HASHES_AT_ONCE: '1', PASSWORD_HASHES_WAITING: '5' } });
  await identity.signUp('ada@example.org');
  const [flood, others] = await Promise.all([
    times(40, () => identity.logIn('ada@example.org', PASSWORD, { address: '203.0.113.1' })),
    times(3, (nth) => identity.logIn('ada@example.org', PASSWORD, { address: `198.51.100.${nth}` })),
  ]);
  expect(countOf(flood, 503)).toBeGreaterThan(0);
  expect(countOf(flood, 200) + countOf(flood, 503)).toBe(40);
  expect(countOf(others, 200)).toBe(3);
});

test('a signed-in person who sends the right password many times at once is never refused', async () => {
  const identity = await start({ env: { PASSWORD_HASHES_AT_ONCE: '8', SIGN_IN_TRIES_PER_ACCOUNT: '3' } });
  const { user: as } = await identity.signUp('ada@example.org');
  const body = { email: 'ada@example.org', currentPassword: PASSWORD };
  const answers = await times(30, () => identity.send('POST', '/api/auth/email', { as, body }));
  expect(countOf(answers, 200)).toBe(30);
});

test('administrators who enter the passcode at once from one network all get in', async () => {
  const ADMIN_PASSCODE = 'passcode-for-tests';
  const identity = await start({ env: { ADMIN_PASSCODE } });
  const body = { passcode: ADMIN_PASSCODE };
  const answers = await times(20, () => identity.send('POST', '/api/admin/login', { body }));
  expect(countOf(answers, 200)).toBe(20);
});
