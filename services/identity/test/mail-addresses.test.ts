import { randomUUID } from 'node:crypto';
import { listMailAddresses, MAIL_ADDRESSES_MAX } from '@casewatch/contracts/mail-addresses';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { PASSWORD, startIdentity } from './identity-fixture.ts';

const identity = await forThisFile(startIdentity());

const ask = (userIds: readonly string[], headers: Record<string, string> = {}) =>
  identity.send('POST', listMailAddresses.path, { body: { userIds }, headers });
const addresses = async (userIds: readonly string[]) => {
  const answer = listMailAddresses.answer.parse(await (await ask(userIds)).json());
  return new Map(answer.addresses.map(({ userId, email }) => [userId, email]));
};

test('it returns the users’ current email addresses, and nothing for deleted accounts', async () => {
  const { user: ada } = await identity.signUp('Ada@example.org');
  const { user: bob } = await identity.signUp('bob@example.org');
  const { user: deleted } = await identity.signUp('deleted@example.org');
  const change = { email: 'ada.new@example.org', currentPassword: PASSWORD };
  await identity.send('POST', '/api/auth/email', { as: ada, body: change });
  await identity.send('DELETE', '/api/auth/me', { as: deleted, body: { currentPassword: PASSWORD } });
  expect(await addresses([ada.id, bob.id, deleted.id, randomUUID()])).toEqual(
    new Map([
      [ada.id, 'ada.new@example.org'],
      [bob.id, 'bob@example.org'],
    ]),
  );
});

test('only the product itself may ask, for a bounded number of users', async () => {
  expect((await ask([randomUUID()], { 'x-casewatch-internal': 'a guess' })).status).toBe(404);
  const many = Array.from({ length: MAIL_ADDRESSES_MAX + 1 }, () => randomUUID());
  for (const userIds of [[], ['nobody'], many]) expect((await ask(userIds)).status).toBe(400);
});
