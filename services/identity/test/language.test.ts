import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, PASSWORD } from './identity-fixture.ts';
import { type RecoveryFixture, startRecovery } from './recovery-fixture.ts';

const SPANISH = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' };
const ENGLISH = { 'accept-language': 'en-US,en;q=0.9,es;q=0.8' };
const GERMAN = { 'accept-language': 'de-AT,de;q=0.9' };
const NEW_PASSWORD = 'another long sentence';

let nth = 0;
const identity = await forThisFile(startRecovery());

const newEmail = () => `reader${++nth}@example.org`;
type Person = Awaited<ReturnType<RecoveryFixture['signUp']>>;
const choose = ({ user }: Person, language: unknown) =>
  identity.send('PATCH', '/api/auth/me', { as: user, body: { language } });
const languagesOf = async (email: string) =>
  (await identity.mailsTo(email)).map(({ kind, language }) => [kind, language]);
const addressOf = async ({ user }: Person) => {
  const answer = await identity.send('POST', listMailAddresses.path, { body: { userIds: [user.id] } });
  return ((await answer.json()) as { addresses: { language: string }[] }).addresses[0];
};

test('an account follows the browser until it chooses a language, and can follow it again', async () => {
  const ada = await identity.signUp(newEmail(), { headers: SPANISH });
  expect(ada.user.language).toBeNull();
  await identity.forgetPublished();
  for (const language of ['es', 'en', null]) {
    expect(await (await choose(ada, language)).json()).toEqual({ ...ada.user, language });
    const read = await identity.send('GET', '/api/auth/me', { as: ada.user });
    expect(await read.json()).toEqual({ ...ada.user, language });
  }
  expect(await identity.published(), 'no other service keeps it').toEqual([]);
});

test('a change of the name keeps the language', async () => {
  const ada = await identity.signUp(newEmail());
  await choose(ada, 'es');
  const renamed = await identity.send('PATCH', '/api/auth/me', {
    as: ada.user,
    body: { firstName: 'Augusta' },
  });
  expect(await renamed.json()).toMatchObject({ firstName: 'Augusta', language: 'es' });
});

test.each(['fr', 'ES', 'es-MX', '', 7])('the language %j is refused', async (language) => {
  const ada = await identity.signUp(newEmail());
  expect(await errorOf(await choose(ada, language))).toMatchObject({ status: 400, code: 'VALIDATION' });
});

test('a sign-up takes the language that the app was read in', async () => {
  const email = newEmail();
  const body = { email, password: PASSWORD, firstName: 'Ana', lastName: 'Ruiz', language: 'es' };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(await answer.json()).toMatchObject({ language: 'es' });
  expect(await languagesOf(email)).toEqual([['confirm-email', 'es']]);
});

test('other services get the language that the account has chosen, else that of the browser that signed in last', async () => {
  const email = newEmail();
  const ada = await identity.signUp(email, { headers: SPANISH });
  expect(await addressOf(ada)).toMatchObject({ language: 'es' });
  await identity.logIn(email, PASSWORD, { headers: ENGLISH });
  expect(await addressOf(ada)).toMatchObject({ language: 'en' });
  await choose(ada, 'es');
  await identity.logIn(email, PASSWORD, { headers: ENGLISH });
  expect(await addressOf(ada), 'a choice wins').toMatchObject({ language: 'es' });
  await choose(ada, null);
  expect(await addressOf(ada)).toMatchObject({ language: 'en' });
  expect(await identity.row(email)).toMatchObject({ language: null, last_language: 'en' });
});

test('a sign-in that fails leaves the language of the account', async () => {
  const email = newEmail();
  const ada = await identity.signUp(email, { headers: SPANISH });
  expect((await identity.logIn(email, 'not the password', { headers: ENGLISH })).status).toBe(401);
  expect(await addressOf(ada)).toMatchObject({ language: 'es' });
});

test.each([
  [SPANISH, 'es'],
  [{ 'accept-language': 'en;q=0.3, es;q=0.7' }, 'es'],
  [ENGLISH, 'en'],
  [{ ...ENGLISH, cookie: 'language=es' }, 'es'],
  [{ ...SPANISH, cookie: 'language=xx' }, 'es'],
  [GERMAN, 'en'],
  [{ 'accept-language': '*' }, 'en'],
  [{ 'accept-language': ';;q=,' }, 'en'],
  [{}, 'en'],
])('an e-mail that a browser with %j caused is in "%s"', async (headers, language) => {
  const email = newEmail();
  await identity.signUp(email, { headers });
  expect(await languagesOf(email)).toEqual([['confirm-email', language]]);
});

test('every e-mail about an account is in the language of the request that caused it', async () => {
  const email = newEmail();
  const ana = await identity.verified(email);
  const as = { as: ana.user, headers: SPANISH };
  await identity.logIn(email, PASSWORD, { headers: SPANISH });
  await identity.send('POST', '/api/auth/password', {
    ...as,
    body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
  });
  await identity.send('POST', '/api/auth/password-reset', { body: { email }, headers: SPANISH });
  const token = await identity.linkTo(email, 'reset-password');
  const reset = { token, newPassword: 'a third long sentence' };
  await identity.send('POST', '/api/auth/password-reset/confirm', { body: reset, headers: GERMAN });
  const moved = newEmail();
  await identity.send('POST', '/api/auth/email', {
    ...as,
    body: { email: moved, currentPassword: 'a third long sentence' },
  });
  expect(await languagesOf(moved)).toEqual([['change-email', 'es']]);
  expect(await languagesOf(email)).toContainEqual(['stop-email-change', 'es']);
  const link = await identity.linkTo(moved, 'change-email');
  const confirmation = { token: link, currentPassword: 'a third long sentence' };
  await identity.send('POST', '/api/auth/email/confirm', { body: confirmation, headers: SPANISH });
  expect((await languagesOf(email)).sort()).toEqual([
    ['email-changed', 'es'],
    ['new-device', 'es'],
    ['password-changed', 'en'],
    ['password-changed', 'es'],
  ]);
});

test('the form for a forgotten password says its language, which counts more than the browser’s', async () => {
  const email = newEmail();
  await identity.verified(email);
  const body = { email, language: 'es' };
  await identity.send('POST', '/api/auth/password-reset', { body, headers: GERMAN });
  expect(await languagesOf(email)).toEqual([['reset-password', 'es']]);
});

test('the account’s choice counts more than the request, also one made before the e-mail is sent', async () => {
  const email = newEmail();
  const ana = await identity.signUp(email);
  await choose(ana, 'es');
  await identity.send('POST', '/api/auth/email/confirmation', { as: ana.user, headers: GERMAN });
  expect(await languagesOf(email)).toEqual([
    ['confirm-email', 'es'],
    ['confirm-email', 'es'],
  ]);
});

test('a language that only a newer process knows reads as none', async () => {
  const email = newEmail();
  const ana = await identity.signUp(email, { headers: SPANISH });
  await identity.database.query(
    "UPDATE identity.users SET language = 'fr', last_language = NULL WHERE id = $1",
    [ana.user.id],
  );
  expect(await (await identity.send('GET', '/api/auth/me', { as: ana.user })).json()).toEqual(ana.user);
  expect(await languagesOf(email)).toEqual([['confirm-email', 'es']]);
  await identity.database.query("UPDATE identity.account_mails SET language = 'fr' WHERE user_id = $1", [
    ana.user.id,
  ]);
  expect(await languagesOf(email)).toEqual([['confirm-email', 'en']]);
  expect(await addressOf(ana)).toMatchObject({ language: 'en' });
});

test('the user’s data has the languages of the account and of each e-mail', async () => {
  const ana = await identity.signUp(newEmail(), { headers: ENGLISH });
  await choose(ana, 'es');
  const answer = await identity.send('GET', '/api/my-data/identity', { as: ana.user });
  const rows = (await answer.text()).trim().split('\n');
  const saved = rows.map(
    (line) => JSON.parse(line) as { table: string; row: { language?: string; last_language?: string } },
  );
  const found = saved.filter(({ row }) => row.language !== undefined);
  expect(found.map(({ table, row }) => [table, row.language, row.last_language])).toEqual([
    ['users', 'es', 'en'],
    ['account_mails', 'en', undefined],
  ]);
});
