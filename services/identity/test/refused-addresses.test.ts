import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { type RecoveryFixture, startRecovery } from './recovery-fixture.ts';

const NEW_PASSWORD = 'another long sentence';

const identity = await forThisFile(startRecovery());

type SignedUp = Awaited<ReturnType<RecoveryFixture['signUp']>>;

const report = async (email: string, accepted: boolean) => {
  const answer = await identity.send('POST', '/internal/identity/mail-results', {
    body: { email, accepted },
  });
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
};
const isRefused = async ({ user }: SignedUp) => {
  const me = (await (await identity.send('GET', '/api/auth/me', { as: user })).json()) as object;
  const body = { userIds: [user.id] };
  const answer = await identity.send('POST', '/internal/identity/mail-addresses', { body });
  const { addresses } = (await answer.json()) as { addresses: object[] };
  return ['emailRefused' in me, addresses.some((one) => 'refused' in one)];
};

test('a person learns that their address is refused, until an e-mail to it is accepted', async () => {
  const ada = await identity.verified('ada@example.org');
  const ben = await identity.verified('ben@example.org');
  await report('ADA@example.org', false);
  await report('ada@example.org', false);
  expect(await isRefused(ada)).toEqual([true, true]);
  expect(await isRefused(ben)).toEqual([false, false]);
  await report('Ada@example.org', true);
  expect(await isRefused(ada)).toEqual([false, false]);
});

test('an address without an account changes nothing', async () => {
  await report('nobody@example.org', false);
  await report('nobody@example.org', true);
  expect(await isRefused(await identity.signUp('nobody@example.org'))).toEqual([false, false]);
});

test('another address, once it is proven, is not refused', async () => {
  const carl = await identity.verified('carl@example.org');
  await report('carl@example.org', false);
  await identity.move(carl, 'carl2@example.org');
  expect(await isRefused(carl), 'not before it is proven').toEqual([true, true]);
  await identity.confirm(await identity.linkTo('carl2@example.org', 'change-email'));
  expect(await isRefused(carl)).toEqual([false, false]);
  await report('carl@example.org', false);
  expect(await isRefused(carl), 'an e-mail to the address before').toEqual([false, false]);
});

test('the same address, spelled in another way, stays refused', async () => {
  const dora = await identity.verified('dora@example.org');
  await report('dora@example.org', false);
  await identity.move(dora, 'Dora@example.org');
  expect(await isRefused(dora)).toEqual([true, true]);
});

test('the link of an e-mail proves that it arrived', async () => {
  const eva = await identity.signUp('eva@example.org');
  await report('eva@example.org', false);
  expect(await isRefused(eva)).toEqual([true, true]);
  await identity.confirm(await identity.linkTo('eva@example.org', 'confirm-email'));
  expect(await isRefused(eva)).toEqual([false, false]);

  await report('eva@example.org', false);
  await identity.send('POST', '/api/auth/password-reset', { body: { email: 'eva@example.org' } });
  const token = await identity.linkTo('eva@example.org', 'reset-password');
  await identity.send('POST', '/api/auth/password-reset/confirm', {
    body: { token, newPassword: NEW_PASSWORD },
  });
  expect(await isRefused(eva)).toEqual([false, false]);
});
