import { errorBody } from '@casewatch/contracts/error-body';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, PASSWORD, startIdentity } from './identity-fixture.ts';

const identity = await forThisFile(startIdentity());

const ROUTES_WITH_A_BODY = [
  ['POST', '/api/auth/signup'],
  ['POST', '/api/auth/login'],
  ['PATCH', '/api/auth/me'],
  ['POST', '/api/auth/email'],
  ['POST', '/api/auth/password'],
  ['DELETE', '/api/auth/me'],
  ['POST', '/internal/identity/resolve-session'],
  ['POST', '/internal/identity/mail-addresses'],
  ['POST', '/internal/identity/mail-results'],
] as const;

const me = {
  id: '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11',
  firstName: 'A',
  lastName: 'B',
  email: 'a@example.org',
  role: null,
  tier: 'free',
  emailVerified: true,
  language: null,
} as const;

test.each(ROUTES_WITH_A_BODY)('%s %s: JSON that is cut off is refused', async (method, path) => {
  const answer = await identity.send(method, path, { as: me, body: '{"email": "a@exam' });
  expect(await errorOf(answer)).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    error: 'The body is not valid JSON.',
  });
});

test.each(ROUTES_WITH_A_BODY)('%s %s: a form is refused', async (method, path) => {
  const answer = await identity.send(method, path, {
    as: me,
    body: 'email=a%40example.org&password=correct',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(await errorOf(answer)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
});

test.each(ROUTES_WITH_A_BODY)('%s %s: an unknown field is refused', async (method, path) => {
  const body = {
    email: 'a@example.org',
    password: PASSWORD,
    currentPassword: PASSWORD,
    newPassword: PASSWORD,
    firstName: 'A',
    lastName: 'B',
    sid: 'x',
    isAdmin: true,
  };
  const answer = await identity.send(method, path, { as: me, body });
  expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION' });
});

test.each(ROUTES_WITH_A_BODY)('%s %s: values of another kind are refused', async (method, path) => {
  for (const value of [null, 7, [], { $ne: '' }]) {
    const body = { email: value, password: value, currentPassword: value, firstName: [], sid: value };
    const answer = await identity.send(method, path, { as: me, body });
    expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION' });
  }
  for (const body of ['[]', '"text"', 'null', '{}'].filter((text) => method !== 'PATCH' || text !== '{}')) {
    expect((await identity.send(method, path, { as: me, body })).status).toBe(400);
  }
});

test.each(ROUTES_WITH_A_BODY)('%s %s: a body over 100 kB is refused', async (method, path) => {
  const answer = await identity.send(method, path, { as: me, body: { email: 'x'.repeat(110_000) } });
  expect(await errorOf(answer)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
});

test('an address that is none of the service’s is a JSON 404', async () => {
  const answer = await identity.send('GET', '/api/auth/nothing');
  expect(answer.status).toBe(404);
  expect(errorBody.parse(await answer.json()).code).toBe('NOT_FOUND');
});

test('half a surrogate pair in a name is refused', async () => {
  const body = { email: 'odd@example.org', password: PASSWORD, firstName: '\ud83d', lastName: 'B' };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION' });
});

test('a password may hold any text', async () => {
  const password = '\ud800\u0000 odd \u202e password';
  const body = { email: 'odd@example.org', password, firstName: 'Odd', lastName: 'B' };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(answer.status).toBe(201);
  expect((await identity.logIn('odd@example.org', password)).status).toBe(200);
});
