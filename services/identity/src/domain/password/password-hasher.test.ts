import { expect, test } from 'vitest';
import type { Guess } from '../limits/counted-check.ts';
import { createPasswordHasher } from './password-hasher.ts';

test('a hash verifies its own password and no other', async () => {
  const hasher = await createPasswordHasher({ atOnce: 2, waiting: 10 });
  const hash = await hasher.hash('correct horse battery');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hasher.verify(hash, 'correct horse battery')).toBe(true);
  expect(await hasher.verify(hash, 'correct horse batterY')).toBe(false);
});

test('without a hash no password is right', async () => {
  const hasher = await createPasswordHasher({ atOnce: 1, waiting: 0 });
  expect(await hasher.verify(undefined, '')).toBe(false);
});

test('the same password hashed twice gives two hashes', async () => {
  const hasher = await createPasswordHasher({ atOnce: 2, waiting: 0 });
  const [one, two] = await Promise.all([hasher.hash('same password'), hasher.hash('same password')]);
  expect(one).not.toBe(two);
});

test('more than may run and wait are refused at once, with the time to come back, and all others served', async () => {
  const hasher = await createPasswordHasher({ atOnce: 1, waiting: 2 });
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e'].map((password) => hasher.hash(password)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(outcomes[4]).toMatchObject({ reason: { code: 'UNAVAILABLE', status: 503, retryAfterSeconds: 2 } });
  await expect(hasher.hash('after the rush')).resolves.toContain('$argon2id$');
});

test('a failed check gives its place to the next', async () => {
  const hasher = await createPasswordHasher({ atOnce: 1, waiting: 1 });
  const outcomes = await Promise.allSettled([hasher.verify('not a hash', 'x'), hasher.hash('y')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  await expect(hasher.hash('z')).resolves.toContain('$argon2id$');
});

test('a guess is counted as one check of the password', async () => {
  const hasher = await createPasswordHasher({ atOnce: 1, waiting: 0 });
  const hash = await hasher.hash('correct horse battery');
  const counted: boolean[] = [];
  const guess: Guess = {
    source: 'a browser',
    hadTurn: false,
    async count(check) {
      const isRight = await check();
      counted.push(isRight);
      return isRight;
    },
  };
  expect(await hasher.verify(hash, 'correct horse battery', guess)).toBe(true);
  expect(await hasher.verify(hash, 'wrong', guess)).toBe(false);
  expect(counted).toEqual([true, false]);
});

test('hashes and checks without a source are of one source, and take turns with others as such', async () => {
  const order: string[] = [];
  const note = async (password: string | Uint8Array) => void order.push(String(password));
  const hasher = await createPasswordHasher(
    { atOnce: 1, waiting: 4 },
    {
      hash: (password) => note(password).then(() => 'hash'),
      verify: (_, password) => note(password).then(() => true),
    },
  );
  order.length = 0;
  await Promise.all([
    hasher.hash('running'),
    hasher.hash('first'),
    hasher.hash('second'),
    hasher.verify('hash', 'third'),
    hasher.hash('other', 'a browser'),
  ]);
  expect(order).toEqual(['running', 'first', 'other', 'second', 'third']);
});
