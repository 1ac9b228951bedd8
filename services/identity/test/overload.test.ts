import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, PASSWORD, startIdentity } from './identity-fixture.ts';

const identity = await forThisFile(
  startIdentity({
    env: {
      PASSWORD_HASHES_AT_ONCE: '1',
      PASSWORD_HASHES_WAITING: '1',
      SIGN_IN_TRIES_PER_ACCOUNT: '3',
      SIGN_IN_TRIES_PER_ADDRESS: '60',
    },
  }),
);

test('sign-ins beyond the hashing capacity are asked to retry, without counting as an attempt', async () => {
  await identity.signUp('ada@example.org');
  const rush = Array.from({ length: 20 }, (_, nth) =>
    identity.logIn(`nobody${nth}@example.org`, 'wrong password'),
  );
  const mine = await Promise.all([
    ...rush,
    ...[1, 2, 3].map(() => identity.logIn('ada@example.org', PASSWORD)),
  ]);
  const refused = mine.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers.get('retry-after')).toBe('2');
  expect(await errorOf(refused[0] ?? Response.error())).toMatchObject({
    code: 'UNAVAILABLE',
    error: 'Many people are signing in right now. Please try again in a moment.',
  });
  for (let nth = 0; nth < 2; nth++) await identity.logIn('ada@example.org', 'wrong password');
  expect((await identity.logIn('ada@example.org', PASSWORD)).status).toBe(200);
});
