import { ADMIN_ROLES } from '@casewatch/contracts/admin-roles';
import { routes } from '@casewatch/contracts/routes';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type AdministratorsFixture,
  cookiesOf,
  OWNER_SESSION,
  PASSWORD,
  startAdministrators,
} from './administrators-fixture.ts';
import { errorOf } from './identity-fixture.ts';
import { overtake } from './overtake.ts';

const DAY_MS = 86_400_000;
const WRONG = {
  status: 401,
  code: 'INVALID_CREDENTIALS',
  error: 'The email address, the password or the code is wrong.',
};

let database: TestDatabase;
let identity: AdministratorsFixture;
beforeEach(async () => {
  // Limits count real time: only the date is moved, timers and sockets run on.
  vi.useFakeTimers({ toFake: ['Date'] });
  database = await createTestDatabase();
  identity = await startAdministrators({ database, env: { ADMIN_PASSCODE: 'open sesame, please' } });
});
afterEach(async () => {
  vi.useRealTimers();
  await identity.stop();
  await database.drop();
});

test('an invitation is a link of this product that names a role, and its token is stored nowhere', async () => {
  const { link, administrator, token } = await identity.invite('Grace@Example.org', 'auditor');
  expect(link).toBe(`http://localhost:8080/admin/invitation#${token}`);
  expect(administrator).toMatchObject({
    email: 'Grace@Example.org',
    role: 'auditor',
    isActive: false,
    name: null,
  });
  expect(await identity.open(token)).toEqual({
    email: 'Grace@Example.org',
    role: 'auditor',
    secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    uri: expect.stringContaining('otpauth://totp/'),
  });
  expect(JSON.stringify(await database.query('SELECT * FROM identity.administrators'))).not.toContain(token);
});

test('accepting sets name, password and codes, opens the area and shows ten recovery codes', async () => {
  const { token, administrator } = await identity.invite('grace@example.org', 'auditor');
  const { secret } = await identity.open(token);
  const answer = await identity.accept(token, secret);
  expect(answer.status).toBe(200);
  const body = (await answer.json()) as { recoveryCodes: string[] };
  expect(body).toEqual({
    ok: true,
    idleSeconds: 900,
    admin: { name: 'Grace Hopper', role: 'auditor' },
    recoveryCodes: Array.from({ length: 10 }, () =>
      expect.stringMatching(/^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/),
    ),
  });
  expect(await identity.resolveAdmin(cookiesOf(answer).sid)).toMatchObject({
    name: 'Grace Hopper',
    role: 'auditor',
    administratorId: administrator.id,
  });
  const rows = JSON.stringify(await database.query('SELECT * FROM identity.administrators'));
  for (const leak of [secret, PASSWORD, ...body.recoveryCodes]) expect(rows).not.toContain(leak);
});

test('an invitation works once, also when it is accepted twice at the same time', async () => {
  const { token } = await identity.invite('grace@example.org');
  const { secret } = await identity.open(token);
  const answers = await Promise.all([1, 2, 3].map(() => identity.accept(token, secret)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  expect((await identity.post('invitations/open', { token })).status).toBe(404);
});

test('an invitation expires after three days', async () => {
  const { token } = await identity.invite('grace@example.org');
  await identity.clock.advance(3 * DAY_MS - 1);
  expect((await identity.post('invitations/open', { token })).status).toBe(200);
  await identity.clock.advance(1);
  expect(await errorOf(await identity.post('invitations/open', { token }))).toMatchObject({
    status: 404,
    code: 'INVITATION_NOT_FOUND',
  });
});

test.each([
  ['a wrong code', { code: '000000' }, 'code'],
  ['a common password', { password: 'passwordpassword' }, 'password'],
  ['a password made of the name', { password: 'grace hopper grace' }, 'password'],
  ['a short password', { password: 'eleven char' }, 'password'],
])('%s accepts nothing, and the invitation stays good', async (_name, given, path) => {
  const { token } = await identity.invite('grace@example.org');
  const { secret } = await identity.open(token);
  const body = { token, name: 'Grace Hopper', password: PASSWORD, code: identity.codeOf(secret), ...given };
  expect(await errorOf(await identity.post('invitations/accept', body))).toMatchObject({
    code: 'VALIDATION',
    details: [{ path }],
  });
  expect((await identity.accept(token, secret)).status).toBe(200);
});

test('e-mail, password and code open the area; the role is that of the account', async () => {
  const { key, id, sid } = await identity.join('grace@example.org', 'survey-editor');
  const answer = await identity.signIn('GRACE@example.org', identity.codeOf(key), {
    cookie: `admin-sid=${sid}`,
  });
  expect(await answer.json()).toEqual({
    ok: true,
    idleSeconds: 900,
    admin: { name: 'Grace Hopper', role: 'survey-editor' },
  });
  expect(await identity.resolveAdmin(cookiesOf(answer).sid)).toMatchObject({ administratorId: id });
  expect(await identity.resolveAdmin(sid), 'the session that this browser had').toBeNull();
});

test('the list says when each administrator last opened the area; one that fails does not count', async () => {
  const { key } = await identity.join('grace@example.org');
  await identity.invite('Ada@example.org');
  expect((await identity.list()).map(({ email }) => email)).toEqual(['Ada@example.org', 'grace@example.org']);
  const lastSignIns = async () =>
    Object.fromEntries((await identity.list()).map(({ email, lastSignInAt }) => [email, lastSignInAt]));
  const joinedAt = new Date(identity.clock.nowMs() - 30_000).toISOString();
  expect(await lastSignIns()).toEqual({ 'grace@example.org': joinedAt, 'Ada@example.org': null });
  await identity.clock.advance(DAY_MS);
  expect((await identity.signIn('grace@example.org', '000000')).status).toBe(401);
  expect(await lastSignIns()).toMatchObject({ 'grace@example.org': joinedAt });
  const signedInAt = new Date(identity.clock.nowMs()).toISOString();
  expect((await identity.signIn('grace@example.org', identity.codeOf(key))).status).toBe(200);
  expect(await lastSignIns()).toMatchObject({ 'grace@example.org': signedInAt });
});

test('a code opens the area once, and no earlier one does after it', async () => {
  const { key } = await identity.join('grace@example.org');
  const earlier = identity.codeOf(key);
  await identity.clock.advance(30_000);
  const code = identity.codeOf(key);
  const atOnce = await Promise.all([1, 2, 3].map(() => identity.signIn('grace@example.org', code)));
  expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  expect((await identity.signIn('grace@example.org', code)).status).toBe(401);
  expect((await identity.signIn('grace@example.org', earlier)).status).toBe(401);
  await identity.clock.advance(30_000);
  expect((await identity.signIn('grace@example.org', identity.codeOf(key))).status).toBe(200);
});

test('the code with which the invitation was accepted opens nothing again', async () => {
  const { token } = await identity.invite('grace@example.org');
  const { secret } = await identity.open(token);
  await identity.accept(token, secret);
  expect((await identity.signIn('grace@example.org', identity.codeOf(secret))).status).toBe(401);
});

test('a recovery code opens the area in place of the app, once, however it is typed', async () => {
  const { recoveryCodes } = await identity.join('grace@example.org');
  const [code = '', other = ''] = recoveryCodes;
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `;
  expect((await identity.signIn('grace@example.org', typed)).status).toBe(200);
  expect((await identity.signIn('grace@example.org', code)).status).toBe(401);
  expect((await identity.signIn('grace@example.org', other)).status).toBe(200);
});

test('whatever is wrong, the answer reads the same', async () => {
  const { key } = await identity.join('grace@example.org');
  const code = identity.codeOf(key);
  await identity.invite('invited@example.org');
  const attempts = [
    identity.signIn('grace@example.org', '000000'),
    identity.signIn('grace@example.org', code, { password: 'another password' }),
    identity.signIn('nobody@example.org', code),
    identity.signIn('invited@example.org', code),
  ];
  for (const attempt of attempts)
    expect(await errorOf(await attempt)).toEqual({ ...WRONG, details: undefined });
  expect((await identity.signIn('grace@example.org', code)).status).toBe(200);
});

test('guessing locks out outsiders, neither colleagues behind the address nor a browser that is known', async () => {
  const grace = await identity.join('grace@example.org');
  const ada = await identity.join('ada@example.org');
  const address = '198.51.100.7';
  for (let nth = 0; nth < 10; nth++) await identity.signIn('grace@example.org', '000000', { address });
  const code = () => identity.codeOf(grace.key);
  expect((await identity.signIn('grace@example.org', code(), { address: '203.0.113.1' })).status).toBe(429);
  const known = await identity.signIn('grace@example.org', code(), { address, cookie: grace.device });
  expect(known.status).toBe(200);
  expect((await identity.signIn('ada@example.org', identity.codeOf(ada.key), { address })).status).toBe(200);
  // What this sign-in gave is as good as what accepting the invitation gave.
  await identity.clock.advance(30_000);
  const { device: cookie } = cookiesOf(known);
  expect(cookie).not.toBe(grace.device);
  expect((await identity.signIn('grace@example.org', code(), { address })).status).toBe(429);
  expect((await identity.signIn('grace@example.org', code(), { address, cookie })).status).toBe(200);
});

test('a new role counts at once, and a removed administrator’s session is over at once', async () => {
  const { id, sid } = await identity.join('grace@example.org', 'owner');
  expect((await identity.asOwner('PATCH', `/${id}`, { role: 'auditor' })).status).toBe(200);
  expect(await identity.resolveAdmin(sid)).toMatchObject({ role: 'auditor' });
  expect((await identity.asOwner('DELETE', `/${id}`)).status).toBe(200);
  expect(await identity.resolveAdmin(sid)).toBeNull();
  expect((await identity.asOwner('DELETE', `/${id}`)).status).toBe(404);
});

test('a new link sets everything anew: the old password, codes, browsers and sessions are worthless then', async () => {
  const before = await identity.join('grace@example.org');
  const answer = await identity.asOwner('POST', `/${before.id}/invitation`);
  const { link } = (await answer.json()) as { link: string };
  expect((await identity.signIn('grace@example.org', identity.codeOf(before.key))).status).toBe(200);
  const token = new URL(link).hash.slice(1);
  const { secret } = await identity.open(token);
  expect(secret).not.toBe(before.key);
  const accepted = await identity.accept(token, secret, { password: 'another long password' });
  expect(accepted.status).toBe(200);
  expect(await identity.resolveAdmin(before.sid)).toBeNull();
  await identity.clock.advance(30_000);
  expect((await identity.signIn('grace@example.org', identity.codeOf(before.key))).status).toBe(401);
  expect((await identity.signIn('grace@example.org', before.recoveryCodes[0] ?? '')).status).toBe(401);
});

test('an address is invited once, whatever its case', async () => {
  await identity.invite('grace@example.org');
  const again = await identity.asOwner('POST', '', { email: 'GRACE@example.org', role: 'auditor' });
  expect(await errorOf(again)).toMatchObject({ status: 409, code: 'ADMINISTRATOR_EXISTS' });
});

test('without the passcode the last owner who can sign in stays one, also when two go at once', async () => {
  await identity.stop();
  identity = await startAdministrators({ database });
  const grace = await identity.join('grace@example.org');
  const ada = await identity.join('ada@example.org');
  await identity.invite('invited@example.org');
  const answers = await Promise.all([
    identity.asOwner('DELETE', `/${grace.id}`),
    identity.asOwner('PATCH', `/${ada.id}`, { role: 'auditor' }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(await refused?.json()).toMatchObject({ code: 'LAST_OWNER' });
});

test('with the passcode the last owner may go', async () => {
  const { id } = await identity.join('grace@example.org');
  expect((await identity.asOwner('DELETE', `/${id}`)).status).toBe(200);
});

test('only owners see or change administrators', async () => {
  const { administrator } = await identity.invite('grace@example.org');
  const managing = routes.filter(({ permission }) => permission === 'administrators.manage');
  for (const adminRole of ADMIN_ROLES.filter((each) => each !== 'owner')) {
    for (const { method, path } of managing) {
      const answer = await identity.call(method, path.replace(':id', administrator.id), {
        adminSession: OWNER_SESSION,
        adminRole,
        ...(method === 'GET' ? {} : { body: { email: 'x@example.org', role: 'owner' } }),
      });
      expect([path, answer.status, await answer.json()]).toMatchObject([
        path,
        403,
        { code: 'PERMISSION_DENIED' },
      ]);
    }
  }
  expect(await identity.list()).toMatchObject([{ email: 'grace@example.org', isActive: false }]);
});

test('the audit trail says who invited, joined, signed in, changed and removed whom, and what it was before', async () => {
  const { id, key } = await identity.join('grace@example.org', 'auditor', { address: '203.0.113.9' });
  const opened = await identity.signIn('grace@example.org', identity.codeOf(key), {
    address: '2001:db8:1:2::3',
  });
  await identity.signIn('grace@example.org', 'hunter2', { address: '203.0.113.9' });
  await identity.post('logout', {}, { cookie: `admin-sid=${cookiesOf(opened).sid}`, address: '203.0.113.9' });
  await identity.asOwner('PATCH', `/${id}`, { role: 'owner' });
  await identity.asOwner('DELETE', `/${id}`);
  const subject = `administrator:${id}`;
  const byOwner = { actor: 'passcode', role: 'owner', sessionId: OWNER_SESSION, address: '127.0.0.0/24' };
  const grace = { actor: 'Grace Hopper', actorId: id, role: 'auditor' };
  const email = 'grace@example.org';
  const entries = await identity.audit();
  expect(entries).toMatchObject([
    { action: 'administrator.invited', subject, ...byOwner, details: { email, role: 'auditor' } },
    { action: 'administrator.joined', subject, ...grace, address: '203.0.113.0/24' },
    { action: 'session.opened', ...grace, address: '203.0.113.0/24' },
    { action: 'session.opened', ...grace, address: '2001:db8:1::/48' },
    {
      action: 'session.refused',
      subject,
      success: false,
      details: { reason: 'wrong email, password or code' },
    },
    { action: 'session.closed', ...grace },
    { action: 'administrator.role-changed', subject, ...byOwner, details: { role: 'auditor → owner' } },
    {
      action: 'administrator.removed',
      subject,
      ...byOwner,
      details: { name: 'Grace Hopper', role: 'owner' },
    },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/hunter2|fairly long/);
});

test.each([
  ['is removed', 'DELETE FROM administrators WHERE id = $1'],
  ['loses the role', "UPDATE administrators SET role = 'auditor' WHERE id = $1"],
  [
    'loses the access',
    'UPDATE administrators SET password_hash = NULL, sealed_totp_key = NULL, device_key = NULL WHERE id = $1',
  ],
])('an owner who %s while a request is in progress does nothing with it', async (_what, sql) => {
  const eve = await identity.join('eve@example.org');
  const other = await identity.join('other@example.org', 'auditor');
  const others = async () => (await identity.list()).filter(({ id }) => id !== eve.id);
  const before = await others();
  const asEve = (method: string, path: string, body?: unknown) =>
    identity.call(method, `/api/admin/administrators${path}`, {
      adminSession: OWNER_SESSION,
      administratorId: eve.id,
      ...(body === undefined ? {} : { body }),
    });
  const denied = { status: 403, code: 'PERMISSION_DENIED' };
  const answer = await overtake(database, sql, [eve.id], () =>
    asEve('POST', '', { email: 'friend@example.org', role: 'owner' }),
  );
  expect(await errorOf(answer)).toMatchObject(denied);
  expect(await errorOf(await asEve('POST', `/${other.id}/invitation`))).toMatchObject(denied);
  expect(await errorOf(await asEve('PATCH', `/${other.id}`, { role: 'owner' }))).toMatchObject(denied);
  expect(await errorOf(await asEve('DELETE', `/${other.id}`))).toMatchObject(denied);
  expect(await others()).toEqual(before);
});
