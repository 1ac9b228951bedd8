import { expect, test } from 'vitest';
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
