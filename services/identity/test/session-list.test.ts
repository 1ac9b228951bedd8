import { randomUUID } from 'node:crypto';
import type { SessionItem } from '@casewatch/contracts/account-recovery';
import type { Stale } from '@casewatch/shared-state/invalidation/invalidation';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { deviceOf, PASSWORD, sidOf } from './identity-fixture.ts';
import { type RecoveryFixture, startRecovery } from './recovery-fixture.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

const invalidated: Stale[] = [];
const identity = await forThisFile(
  startRecovery({ invalidation: { publish: (what) => invalidated.push(what) } }),
);

type SignedUp = Awaited<ReturnType<RecoveryFixture['signUp']>>;

async function list({ user }: SignedUp, sid: string): Promise<SessionItem[]> {
  const answer = await identity.send('GET', '/api/auth/sessions', { as: user, sid });
  return (await answer.json()) as SessionItem[];
}

const onPhone = (email: string, more: { device?: string } = {}) =>
  identity.logIn(email, PASSWORD, { address: '203.0.113.77', headers: { 'user-agent': SAFARI }, ...more });

test('a person sees where the account is signed in: device, network, last use, and which one this is', async () => {
  const ada = await identity.signUp('ada@example.org', {
    address: '198.51.100.20',
    headers: { 'user-agent': FIREFOX },
  });
  await identity.clock.advance(60_000);
  await onPhone('ada@example.org');
  const [phone, desktop, ...others] = await list(ada, ada.sid);
  expect(others).toEqual([]);
  expect(phone).toMatchObject({ device: 'Safari on iPhone', network: '203.0.113.0/24', isCurrent: false });
  expect(desktop).toMatchObject({
    device: 'Firefox on Windows',
    network: '198.51.100.0/24',
    isCurrent: true,
  });
});

test('one device is signed out, and the others stay signed in', async () => {
  const ada = await identity.signUp('one@example.org');
  const phone = sidOf(await onPhone('one@example.org'));
  const id = (await list(ada, ada.sid)).find(({ isCurrent }) => !isCurrent)?.id;
  const end = () => identity.send('DELETE', `/api/auth/sessions/${id}`, { as: ada.user });
  expect((await end()).status).toBe(200);
  expect(await identity.resolve(phone)).toBeNull();
  expect(await identity.resolve(ada.sid)).not.toBeNull();
  expect((await end()).status).toBe(404);
});

test('no one ends the session of another account', async () => {
  const ada = await identity.signUp('mine@example.org');
  const eve = await identity.signUp('eve@example.org');
  const [session] = await list(ada, ada.sid);
  const end = (id: string | undefined) =>
    identity.send('DELETE', `/api/auth/sessions/${id}`, { as: eve.user });
  expect((await end(session?.id)).status).toBe(404);
  expect((await end(randomUUID())).status).toBe(404);
  expect((await end('not-an-id')).status).toBe(400);
  expect(await identity.resolve(ada.sid)).not.toBeNull();
});

test('sessions that are over are not listed', async () => {
  const ada = await identity.signUp('over@example.org');
  await onPhone('over@example.org');
  await identity.database.query(
    `UPDATE identity.sessions SET expires_at = $2 WHERE user_id = $1 AND device = 'Safari on iPhone'`,
    [ada.user.id, new Date(identity.clock.nowMs())],
  );
  const [session, ...others] = await list(ada, ada.sid);
  expect(session).toMatchObject({ isCurrent: true });
  expect(others).toEqual([]);
});

test('a sign-in on a new device is mailed with its device and network, one on a known device is not', async () => {
  const ada = await identity.verified('new-device@example.org');
  await identity.logIn('new-device@example.org', PASSWORD, { device: ada.device });
  expect(await identity.kindsTo('new-device@example.org')).toEqual([]);
  const phone = deviceOf(await onPhone('new-device@example.org'));
  await onPhone('new-device@example.org', { device: phone });
  expect(await identity.mailsTo('new-device@example.org')).toMatchObject([
    { kind: 'new-device', device: 'Safari on iPhone', network: '203.0.113.0/24', token: null },
  ]);
});

test('an address that is not proven gets no notices about an account that an outsider may have made', async () => {
  await identity.signUp('unproven@example.org');
  await onPhone('unproven@example.org');
  expect(await identity.kindsTo('unproven@example.org')).toEqual(['confirm-email']);
});

const ends = async (userId: string) =>
  (await identity.published())
    .filter(({ name }) => name === 'user-sessions-ended')
    .map(({ payload }) => payload)
    .filter((payload) => JSON.stringify(payload).includes(userId));

test('a session that is ended from another device is published, and one that was over already is not', async () => {
  const ada = await identity.signUp('lost-phone@example.org');
  const phone = await identity.resolve(sidOf(await onPhone('lost-phone@example.org')));
  const end = () => identity.send('DELETE', `/api/auth/sessions/${phone?.sessionId}`, { as: ada.user });
  await end();
  await end();
  expect(await ends(ada.user.id)).toEqual([{ userId: ada.user.id, deviceSessionIds: [] }]);
});

test('a sign-out of one browser is published, and so is a sign-out everywhere; one without a session is not', async () => {
  const ada = await identity.signUp('all@example.org');
  const sid = sidOf(await onPhone('all@example.org'));
  for (let times = 0; times < 2; times++) await identity.send('POST', '/api/auth/logout', { sid });
  expect(await ends(ada.user.id)).toHaveLength(1);
  await identity.send('POST', '/api/auth/logout-everywhere', { as: ada.user, sid: ada.sid });
  expect(await ends(ada.user.id)).toHaveLength(2);
});

test('a password change is published as an end of sessions, and the one that made it keeps its id', async () => {
  const ada = await identity.signUp('changes@example.org');
  await onPhone('changes@example.org');
  const sessionId = (await identity.resolve(ada.sid))?.sessionId;
  const changed = await identity.send('POST', '/api/auth/password', {
    as: ada.user,
    sessionId,
    body: { currentPassword: PASSWORD, newPassword: 'another horse battery' },
  });
  expect((await identity.resolve(sidOf(changed)))?.sessionId).toBe(sessionId);
  expect(await identity.resolve(ada.sid)).toBeNull();
  expect(await ends(ada.user.id)).toEqual([{ userId: ada.user.id, deviceSessionIds: [] }]);
});

test('a session that is ended from another device is at once no longer in the gateways’ caches', async () => {
  const ada = await identity.signUp('cached@example.org');
  const phone = await identity.resolve(sidOf(await onPhone('cached@example.org')));
  await identity.send('DELETE', `/api/auth/sessions/${phone?.sessionId}`, { as: ada.user });
  expect(invalidated).toContainEqual({ userId: ada.user.id });
});

test('with a new password by e-mail no session of the account stays in the gateways’ caches', async () => {
  const ada = await identity.verified('new-password@example.org');
  await identity.forgot('new-password@example.org');
  const token = await identity.linkTo('new-password@example.org', 'reset-password');
  invalidated.length = 0;
  expect((await identity.reset(token, 'another horse battery')).status).toBe(200);
  expect(invalidated).toContainEqual({ userId: ada.user.id });
});
