import { signUp as contract } from '@casewatch/contracts/identity';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { writeAtOnce } from '@casewatch/testing/write-at-once';
import { expect, onTestFinished, test } from 'vitest';
import { errorOf, type IdentityFixture, PASSWORD, sidOf, startIdentity } from './identity-fixture.ts';

const identity = await forThisFile(startIdentity({ env: { POLICIES_DATE: '2026-12-01' } }));

const details = { password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' };

test('signing up creates a free account, answers with it and signs in', async () => {
  const body = { ...details, email: 'ada@example.org', role: 'Attorney' };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(answer.status).toBe(201);
  const user = contract.answer.parse(await answer.json());
  expect(user).toEqual({
    id: user.id,
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    role: 'Attorney',
    tier: 'free',
    emailVerified: true,
    language: null,
  });
  expect(await identity.resolve(sidOf(answer))).toMatchObject({ userId: user.id, name: 'Ada' });
  expect(await identity.row('ada@example.org')).toMatchObject({ login_count: 0, is_demo: false });
});

test('the version of the terms and the privacy policy is stored with the sign-up, and is in the data that the user downloads', async () => {
  const body = { ...details, email: 'agreed@example.org', policiesVersion: '2026-12-01' };
  const user = contract.answer.parse(
    await (await identity.send('POST', '/api/auth/signup', { body })).json(),
  );
  expect(await identity.row('agreed@example.org')).toMatchObject({ policies_version: '2026-12-01' });
  const data = await identity.send('GET', '/api/my-data/identity', { as: user });
  expect(await data.text()).toContain('"policies_version": "2026-12-01"');
});

test('a sign-up on a page with other policies than the current ones is refused, with the version to read; one without a page stores none', async () => {
  const signUp = (email: string, shown: object) =>
    identity.send('POST', '/api/auth/signup', { body: { ...details, email, ...shown } });
  for (const policiesVersion of ['2026-11-30', '2026-12-02', 'sample', '']) {
    const answer = await signUp('reader@example.org', { policiesVersion });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      code: 'POLICIES_CHANGED',
      values: { version: '2026-12-01' },
    });
  }
  expect(await identity.row('reader@example.org')).toBeUndefined();
  expect((await signUp('reader@example.org', {})).status).toBe(201);
  expect(await identity.row('reader@example.org')).toMatchObject({ policies_version: null });
});

test('where no policies are set, whatever a page showed is a sample', async () => {
  const own = await startIdentity();
  onTestFinished(() => own.stop());
  const body = { ...details, email: 'ada@example.org', policiesVersion: '2026-12-01' };
  expect((await own.send('POST', '/api/auth/signup', { body })).status).toBe(201);
  expect(await own.row('ada@example.org')).toMatchObject({ policies_version: 'sample' });
});

test('signing up publishes an event', async () => {
  const { user } = await identity.signUp('event@example.org');
  expect(await identity.published()).toContainEqual({
    name: 'user-signed-up',
    payload: { userId: user.id, email: 'event@example.org', firstName: 'Ada', lastName: 'Lovelace' },
  });
});

test('the role is optional, and an empty one is none', async () => {
  const body = { ...details, email: 'norole@example.org', role: '  ' };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(await answer.json()).toMatchObject({ role: null });
});

test('the password is stored as an argon2id hash with the decided cost, and nowhere as it is', async () => {
  await identity.signUp('hash@example.org');
  const row = await identity.row('hash@example.org');
  expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(JSON.stringify(row)).not.toContain(PASSWORD);
});

test.each([
  ['ana&luis@example.com', 'ANA&LUIS@example.com'],
  ["o'brien+uscis@example.ie", "o'brien+uscis@EXAMPLE.ie"],
  ['a{b}..c@example.org', 'A{B}..c@example.org'],
  ['ana@bücher.example', 'ana@xn--bcher-kva.example'],
  ['ivan@почта.рф', 'ivan@ПОЧТА.рф'],
  ['ana@xn--espaa-rta.example', 'ana@espan\u0303a.example'],
])('%s signs up, and logs in as %s', async (address, again) => {
  await identity.signUp(address);
  expect((await identity.logIn(again)).status).toBe(200);
  const answer = await identity.send('POST', '/api/auth/signup', { body: { ...details, email: again } });
  expect(await errorOf(answer)).toMatchObject({ code: 'EMAIL_TAKEN' });
});

test('an e-mail address is taken whatever its case and the spaces around it', async () => {
  await identity.signUp('Grace@Example.org');
  const body = { ...details, email: '  gRACE@example.ORG ' };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(await errorOf(answer)).toMatchObject({
    status: 409,
    code: 'EMAIL_TAKEN',
    error: 'An account with this email address already exists.',
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test('the e-mail address is kept as it was typed, without the spaces around it', async () => {
  const body = { ...details, email: '  Margaret.H@Example.org ' };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(await answer.json()).toMatchObject({ email: 'Margaret.H@Example.org' });
});

/** Four sign-ups with one e-mail address, none of which finds it taken: their statuses, and what they leave. */
async function fourSignUpsAtOnce(at: IdentityFixture) {
  const before = (await at.published()).length;
  const signUp = (nth: number) =>
    at.send('POST', '/api/auth/signup', {
      body: { ...details, email: nth % 2 ? 'RACE@example.org' : 'race@example.org' },
      address: '198.51.100.1',
    });
  const answers = await writeAtOnce(
    at.database,
    'identity.users',
    [1, 2, 3, 4].map((nth) => () => signUp(nth)),
  );
  const accounts = await at.database.query(
    "SELECT 1 FROM identity.users WHERE email_key = 'race@example.org'",
  );
  return {
    statuses: answers.map(({ status }) => status).sort(),
    accounts: accounts.length,
    published: (await at.published()).length - before,
  };
}

test('of parallel sign-ups with one e-mail address exactly one succeeds', async () => {
  const outcome = { statuses: [201, 409, 409, 409], accounts: 1, published: 1 };
  expect(await fourSignUpsAtOnce(identity)).toEqual(outcome);
});

test('R7, shown able to fail: without the unique index each of four parallel sign-ups succeeds', async () => {
  const without = await startIdentity();
  try {
    await without.database.query('DROP INDEX identity.users_email_key');
    const outcome = { statuses: [201, 201, 201, 201], accounts: 4, published: 4 };
    expect(await fourSignUpsAtOnce(without)).toEqual(outcome);
  } finally {
    await without.stop();
  }
});

test('names may be in any script', async () => {
  const body = {
    email: 'script@example.org',
    password: 'пароль-密码-🔑',
    firstName: '李',
    lastName: 'Ólafsdóttir 👩‍⚖️',
  };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(await answer.json()).toMatchObject({ firstName: '李', lastName: 'Ólafsdóttir 👩‍⚖️' });
  expect((await identity.resolve(sidOf(answer)))?.name).toBe('李');
  expect((await identity.logIn('script@example.org', 'пароль-密码-🔑')).status).toBe(200);
});

test('signing up ends the session that the browser had before', async () => {
  const first = await identity.signUp('first@example.org');
  await identity.signUp('second@example.org', { sid: first.sid });
  expect(await identity.resolve(first.sid)).toBeNull();
});

test.each([
  ['email', 'not-an-address', 'Invalid email address'],
  ['email', `${'a'.repeat(250)}@example.org`, 'Invalid email address'],
  ['email', `${'a'.repeat(65)}@example.org`, 'Invalid email address'],
  ['email', 'ada@example-.org', 'Invalid email address'],
  ['email', `ada@${'a'.repeat(64)}.org`, 'Invalid email address'],
  ['password', '1234567', 'Password must be at least 8 characters'],
  ['password', 'x'.repeat(257), 'Password must be at most 256 characters'],
  ['firstName', '   ', 'First name is required'],
  ['firstName', 'A\u0000B', 'First name must be a single line of text'],
  ['lastName', '', 'Last name is required'],
  ['lastName', 'x'.repeat(101), 'Last name is too long'],
  ['role', 'x'.repeat(101), 'Role is too long'],
])('a wrong %s (%j) is refused with its own text', async (field, value, message) => {
  const body = { ...details, email: 'wrong@example.org', [field]: value };
  const answer = await errorOf(await identity.send('POST', '/api/auth/signup', { body }));
  expect(answer).toMatchObject({ status: 400, code: 'VALIDATION', error: message });
  expect(answer.details).toContainEqual({ path: field, message, messageKey: expect.any(String) });
});
