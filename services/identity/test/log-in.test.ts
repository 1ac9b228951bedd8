import { logIn as contract } from '@casewatch/contracts/identity';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, PASSWORD, sidOf, startIdentity } from './identity-fixture.ts';

const identity = await forThisFile(startIdentity());

test('signing in answers with the user and a cookie that resolves to them', async () => {
  const { user } = await identity.signUp('ada@example.org');
  const answer = await identity.logIn('ada@example.org');
  expect(answer.status).toBe(200);
  expect(contract.answer.parse(await answer.json())).toEqual(user);
  expect(await identity.resolve(sidOf(answer))).toMatchObject({ userId: user.id, tier: 'free' });
});

test('the case of the e-mail address and spaces around it do not matter', async () => {
  await identity.signUp('Grace@Example.org');
  expect((await identity.logIn('  GRACE@example.ORG')).status).toBe(200);
});

test('each sign-in is counted and published', async () => {
  const { user } = await identity.signUp('count@example.org');
  await identity.logIn('count@example.org');
  await identity.logIn('count@example.org');
  const events = (await identity.published())
    .filter(({ name }) => name === 'user-logged-in')
    .map(({ payload }) => payload);
  expect(events).toEqual(
    expect.arrayContaining([
      { userId: user.id, loginCount: 1 },
      { userId: user.id, loginCount: 2 },
    ]),
  );
  expect(await identity.row('count@example.org')).toMatchObject({ login_count: 2 });
});

test('parallel sign-ins are all counted', async () => {
  await identity.signUp('parallel@example.org');
  await Promise.all(Array.from({ length: 5 }, () => identity.logIn('parallel@example.org')));
  expect(await identity.row('parallel@example.org')).toMatchObject({ login_count: 5 });
});

test('a wrong password and an unknown address get the very same answer', async () => {
  await identity.signUp('known@example.org');
  const wrong = await identity.logIn('known@example.org', 'not the password');
  const unknown = await identity.logIn('unknown@example.org', 'not the password');
  const expected = { status: 401, code: 'INVALID_CREDENTIALS', error: 'Invalid email or password' };
  expect(await errorOf(wrong)).toEqual({ ...expected, details: undefined });
  expect(await errorOf(unknown)).toEqual({ ...expected, details: undefined });
  expect([...wrong.headers.keys()]).toEqual([...unknown.headers.keys()]);
  expect(wrong.headers.getSetCookie()).toEqual([]);
});

test('a session id is never taken over: the one presented at sign-in ends, a new one begins', async () => {
  const victim = await identity.signUp('victim@example.org');
  const planted = (await identity.signUp('attacker@example.org')).sid;
  const answer = await identity.logIn('victim@example.org', PASSWORD, { sid: planted });
  expect(sidOf(answer)).not.toBe(planted);
  expect(await identity.resolve(planted)).toBeNull();
  expect(await identity.resolve(sidOf(answer))).toMatchObject({ userId: victim.user.id });
});

test('a made-up session id presented at sign-in is not adopted', async () => {
  await identity.signUp('madeup@example.org');
  const answer = await identity.logIn('madeup@example.org', PASSWORD, { sid: 'chosen-by-an-attacker' });
  expect(sidOf(answer)).toMatch(/^[\w-]{43}$/);
  expect(await identity.resolve('chosen-by-an-attacker')).toBeNull();
});

test('a failed sign-in leaves the session of the browser alone', async () => {
  const { sid } = await identity.signUp('typo@example.org');
  await identity.logIn('typo@example.org', 'not the password', { sid });
  expect(await identity.resolve(sid)).not.toBeNull();
});

test('the same password typed as composed or decomposed characters is the same password', async () => {
  const body = { email: 'nfc@example.org', password: 'Zoë-café-1', firstName: 'Z', lastName: 'C' };
  await identity.send('POST', '/api/auth/signup', {
    body: { ...body, password: body.password.normalize('NFD') },
  });
  expect((await identity.logIn('nfc@example.org', body.password.normalize('NFC'))).status).toBe(200);
});

test.each([
  [{ email: 'nobody', password: 'x' }, 'email', 'Invalid email address'],
  [{ email: 'ada@example.org', password: '' }, 'password', 'Password is required'],
  [{ email: 'ada@example.org', password: 'x'.repeat(257) }, 'password', 'Password is too long'],
])('%j is refused', async (body, path, message) => {
  const answer = await errorOf(await identity.send('POST', '/api/auth/login', { body }));
  expect(answer).toMatchObject({ status: 400, code: 'VALIDATION', error: message });
  expect(answer.details).toContainEqual({ path, message, messageKey: expect.any(String) });
});

test('on a plain address the cookie is named sid', async () => {
  await identity.signUp('plain@example.org');
  const [cookie] = (await identity.logIn('plain@example.org')).headers.getSetCookie();
  expect(cookie).toMatch(/^sid=[\w-]{43}; Max-Age=7776000; Path=\/; .*HttpOnly; SameSite=Lax$/);
  expect(cookie).not.toMatch(/Secure|Domain/);
});

test('over https the cookie is Secure and bound to the host', async () => {
  const secure = await startIdentity({ env: { PUBLIC_URL: 'https://casewatch.example' } });
  try {
    const { sid, user } = await secure.signUp('secure@example.org');
    const answer = await secure.logIn('secure@example.org', PASSWORD, {
      headers: { cookie: `__Host-sid=${sid}` },
    });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-sid=[\w-]{43}; /);
    expect(cookie).toMatch(/; Path=\/;.*; HttpOnly; Secure; SameSite=Lax$/);
    expect(cookie).not.toContain('Domain');
    expect(await secure.resolve(sid)).toBeNull();
    expect(await secure.resolve(sidOf(answer))).toMatchObject({ userId: user.id });
  } finally {
    await secure.stop();
  }
});
