import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, PASSWORD, startIdentity } from './identity-fixture.ts';

const identity = await forThisFile(startIdentity());

const OVERRIDE = 'Ada \u202eecalevoL';
const message = (field: string) => `${field} has an invisible character. Please type it again without it.`;

test.each([
  ['firstName', 'First name', OVERRIDE],
  ['lastName', 'Last name', 'Love\u200blace'],
  ['role', 'Role', 'Att\u2066orney'],
])('an invisible character in %s is refused at sign-up and in changes', async (field, label, value) => {
  const body = { email: `${field}@example.org`, password: PASSWORD, firstName: 'A', lastName: 'B' };
  const expected = {
    status: 400,
    error: message(label),
    details: [{ path: field, message: message(label) }],
  };
  const refused = await identity.send('POST', '/api/auth/signup', { body: { ...body, [field]: value } });
  expect(await errorOf(refused)).toMatchObject(expected);
  const { user: as } = await identity.signUp(body.email);
  const change = await identity.send('PATCH', '/api/auth/me', { as, body: { [field]: value } });
  expect(await errorOf(change)).toMatchObject(expected);
});

test('names keep the joiners that their script needs', async () => {
  const body = {
    email: 'persian@example.org',
    password: PASSWORD,
    firstName: 'مهر\u200cانگیز',
    lastName: 'ക്രിഷ്ണന\u0d4d\u200d',
  };
  const answer = await identity.send('POST', '/api/auth/signup', { body });
  expect(await answer.json()).toMatchObject({ firstName: body.firstName, lastName: body.lastName });
});

test('an account stored with such a name is still read and signs in', async () => {
  const { user: as } = await identity.signUp('old@example.org');
  await identity.database.query('UPDATE identity.users SET first_name = $1 WHERE id = $2', [OVERRIDE, as.id]);
  expect(await (await identity.logIn('old@example.org')).json()).toMatchObject({ firstName: OVERRIDE });
  const change = await identity.send('PATCH', '/api/auth/me', { as, body: { lastName: 'Byron' } });
  expect(await change.json()).toMatchObject({ firstName: OVERRIDE, lastName: 'Byron' });
});
