import type { ResolvedAdminSession } from '@casewatch/contracts/admin-session';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settings } from '../src/config.ts';
import { errorOf, type IdentityFixture, startIdentity } from './identity-fixture.ts';

const PASSCODE = 'open sesame, please';
const MINUTE_MS = 60_000;
const ON = { ADMIN_PASSCODE: PASSCODE };

let database: TestDatabase;
let identity: IdentityFixture;
beforeEach(async () => {
  // Limits count real time: only the date is moved, timers and sockets run on.
  vi.useFakeTimers({ toFake: ['Date'] });
  database = await createTestDatabase();
  identity = await startIdentity({ env: ON, database });
});
afterEach(async () => {
  vi.useRealTimers();
  await identity.stop();
  await database.drop();
});

const enter = (passcode: string, address = '198.51.100.1', cookie?: string) =>
  identity.send('POST', '/api/admin/login', {
    body: { passcode },
    address,
    headers: cookie ? { cookie } : {},
  });
const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const sidOf = (answer: Response) => cookieOf(answer).split('=')[1] ?? '';
async function resolve(sid: string, of: IdentityFixture = identity) {
  const answer = await of.send('POST', '/internal/identity/resolve-admin-session', { body: { sid } });
  return ((await answer.json()) as { session: ResolvedAdminSession | null }).session;
}
const audit = async () =>
  (await identity.published()).filter(({ name }) => name === 'admin-acted').map(({ payload }) => payload);

test('the passcode opens a session behind a cookie of its own, for the admin routes of this site alone', async () => {
  const answer = await enter(PASSCODE);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    ok: true,
    idleSeconds: 900,
    admin: { name: 'passcode', role: 'owner' },
  });
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^admin-sid=[\w-]{43};/);
  for (const part of ['Max-Age=28800;', 'Path=/api/admin', 'HttpOnly', 'SameSite=Strict'])
    expect(cookie).toContain(part);
  expect(await resolve(sidOf(answer))).toEqual({
    sessionId: expect.stringMatching(/^[\da-f-]{36}$/),
    name: 'passcode',
    role: 'owner',
    administratorId: null,
  });
});

test('over HTTPS the cookie is Secure and named so that browsers insist on it', async () => {
  const secure = await startIdentity({ env: { ...ON, PUBLIC_URL: 'https://cases.example.org' }, database });
  const answer = await secure.send('POST', '/api/admin/login', { body: { passcode: PASSCODE } });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Secure-admin-sid=.*; Secure/),
    expect.stringMatching(/^__Secure-admin-device=.*; Secure/),
  ]);
  await secure.stop();
});

test('neither the cookie’s value nor the passcode is stored', async () => {
  const sid = sidOf(await enter(PASSCODE));
  const rows = JSON.stringify(await database.query('SELECT * FROM identity.admin_sessions'));
  expect(rows).toContain('sid_hash');
  expect(rows).not.toContain(sid);
  expect(rows).not.toContain(PASSCODE);
});

test('the passcode opens the area however a system writes its accents, and its sessions outlast a restart', async () => {
  const passcode = 'crème brûlée, please';
  const composed = await startIdentity({ env: { ADMIN_PASSCODE: passcode.normalize('NFC') }, database });
  const body = { passcode: passcode.normalize('NFD') };
  const answer = await composed.send('POST', '/api/admin/login', { body });
  expect(answer.status).toBe(200);
  await composed.stop();
  const decomposed = await startIdentity({ env: { ADMIN_PASSCODE: body.passcode }, database });
  expect(await resolve(sidOf(answer), decomposed)).not.toBeNull();
  await decomposed.stop();
});

test('a wrong passcode opens nothing', async () => {
  const answer = await enter(`${PASSCODE}!`);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await errorOf(answer)).toMatchObject({
    status: 401,
    code: 'INVALID_PASSCODE',
    error: 'Invalid passcode',
  });
});

test('a user’s session is no admin session, and the reverse', async () => {
  const { sid } = await identity.signUp('ada@example.org');
  const adminSid = sidOf(await enter(PASSCODE));
  expect(await resolve(sid)).toBeNull();
  expect(await identity.resolve(adminSid)).toBeNull();
});

test('a session ends after 15 minutes without use, and use keeps it open', async () => {
  const sid = sidOf(await enter(PASSCODE));
  for (let use = 0; use < 3; use++) {
    await identity.clock.advance(15 * MINUTE_MS - 1);
    expect(await resolve(sid)).not.toBeNull();
  }
  await identity.clock.advance(15 * MINUTE_MS);
  expect(await resolve(sid)).toBeNull();
});

test('a session ends after 8 hours, however much it is used', async () => {
  const sid = sidOf(await enter(PASSCODE));
  for (let minutes = 0; minutes < 8 * 60 - 10; minutes += 10) {
    await identity.clock.advance(10 * MINUTE_MS);
    expect(await resolve(sid)).not.toBeNull();
  }
  await identity.clock.advance(10 * MINUTE_MS);
  expect(await resolve(sid)).toBeNull();
});

test('another passcode ends the sessions that the old one opened; the same one keeps them', async () => {
  const sid = sidOf(await enter(PASSCODE));
  const restarted = await startIdentity({ env: ON, database });
  const rotated = await startIdentity({ env: { ADMIN_PASSCODE: 'another passcode' }, database });
  await identity.forgetPublished();
  const off = await startIdentity({ database });
  expect(await resolve(sid, restarted)).not.toBeNull();
  expect(await resolve(sid, rotated)).toBeNull();
  expect(await resolve(sid, off)).toBeNull();
  for (const other of [restarted, rotated, off]) await other.stop();
});

test('closing the area ends its session and removes the cookie; twice is no error', async () => {
  const entered = await enter(PASSCODE);
  const close = () => identity.send('POST', '/api/admin/logout', { headers: { cookie: cookieOf(entered) } });
  const answer = await close();
  expect(answer.headers.getSetCookie()[0]).toMatch(/^admin-sid=; Max-Age=0; Path=\/api\/admin/);
  expect(await resolve(sidOf(entered))).toBeNull();
  expect((await close()).status).toBe(200);
  expect((await audit()).filter((entry) => JSON.stringify(entry).includes('session.closed'))).toHaveLength(1);
});

test('entering again ends the session that this browser had', async () => {
  const first = await enter(PASSCODE);
  const second = await enter(PASSCODE, '198.51.100.1', cookieOf(first));
  expect(await resolve(sidOf(first))).toBeNull();
  expect(await resolve(sidOf(second))).not.toBeNull();
});

test('after five wrong passcodes an address has to wait 15 minutes, even with the right one', async () => {
  for (let nth = 0; nth < 5; nth++) expect((await enter('wrong')).status).toBe(401);
  const refused = await enter(PASSCODE);
  expect(refused.headers.get('retry-after')).toBe('900');
  expect(await errorOf(refused)).toMatchObject({
    code: 'RATE_LIMITED',
    error: 'Too many wrong passcodes. Please try again in 15 minutes.',
  });
  expect((await enter(PASSCODE, '198.51.100.2')).status).toBe(200);
  vi.setSystemTime(Date.now() + 15 * MINUTE_MS);
  expect((await enter(PASSCODE)).status).toBe(200);
});

test('a colleague whose browser has opened the area before gets in behind an address that has to wait', async () => {
  const device = (await enter(PASSCODE)).headers.getSetCookie()[1] ?? '';
  expect(device).toMatch(
    /^admin-device=[^;]+; Max-Age=31536000; .*Path=\/api\/admin; .*HttpOnly; SameSite=Strict/,
  );
  const cookie = device.split(';')[0];
  for (let nth = 0; nth < 6; nth++) await enter('wrong');
  expect((await enter(PASSCODE)).status).toBe(429);
  expect((await enter(PASSCODE, '198.51.100.1', cookie)).status).toBe(200);
  for (let nth = 0; nth < 5; nth++) expect((await enter('wrong', '198.51.100.9', cookie)).status).toBe(401);
  expect((await enter(PASSCODE, '198.51.100.9', cookie)).status).toBe(429);
  expect((await enter(PASSCODE, '198.51.100.9')).status).toBe(200);
  const rotated = await startIdentity({ env: { ADMIN_PASSCODE: 'another passcode' }, database });
  const attempt = {
    body: { passcode: 'wrong' },
    address: '198.51.100.50',
    headers: { cookie: cookie ?? '' },
  };
  for (let nth = 0; nth < 5; nth++) await rotated.send('POST', '/api/admin/login', attempt);
  const other = { body: { passcode: 'another passcode' }, address: '198.51.100.50' };
  expect((await rotated.send('POST', '/api/admin/login', other)).status).toBe(429);
  await rotated.stop();
});

test('the passcode can be switched off, which ends its sessions and says what to do instead', async () => {
  const sid = sidOf(await enter(PASSCODE));
  expect(await (await identity.send('GET', '/api/admin/sign-in')).json()).toEqual({
    passcode: true,
    provider: null,
  });
  await identity.forgetPublished();
  const off = await startIdentity({ env: { ...ON, ADMIN_PASSCODE_ENABLED: 'false' }, database });
  expect(await (await off.send('GET', '/api/admin/sign-in')).json()).toEqual({
    passcode: false,
    provider: null,
  });
  expect(await resolve(sid, off)).toBeNull();
  const answer = await off.send('POST', '/api/admin/login', { body: { passcode: PASSCODE } });
  expect(await errorOf(answer)).toMatchObject({
    code: 'ADMIN_OFF',
    error: 'The passcode is switched off. Sign in with your administrator account.',
  });
  await off.stop();
});

test('guesses sent side by side, or from within one IPv6 network, count together', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => enter('wrong', `2001:db8:1:2::${nth}`)),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
});

test('distributed guessing is limited, and locks out no administrator with a known address', async () => {
  await identity.stop();
  identity = await startIdentity({ env: { ...ON, ADMIN_TRIES_OVERALL: '8' }, database });
  expect((await enter(PASSCODE, '192.0.2.77')).status).toBe(200);
  for (let nth = 0; nth < 8; nth++) await enter('wrong', `203.0.113.${nth}`);
  expect((await enter(PASSCODE, '203.0.113.99')).status).toBe(429);
  expect((await enter(PASSCODE, '192.0.2.77')).status).toBe(200);
  for (let nth = 0; nth < 5; nth++) await enter('wrong', '192.0.2.77');
  expect((await enter(PASSCODE, '192.0.2.77')).status).toBe(429);
});

test('every attempt goes to the audit trail with outcome and address, and never what was typed', async () => {
  await enter(PASSCODE);
  for (let nth = 0; nth < 6; nth++) await enter('hunter2-hunter2');
  const entries = await audit();
  expect(entries[0]).toEqual({
    action: 'session.opened',
    subject: 'session',
    success: true,
    sessionId: expect.any(String),
    actor: 'passcode',
    role: 'owner',
    address: '198.51.100.0/24',
    details: {},
  });
  expect(entries.slice(1, 6)).toEqual(
    Array.from({ length: 5 }, () => ({
      action: 'session.refused',
      subject: 'session',
      success: false,
      address: '198.51.100.0/24',
      details: { reason: 'wrong passcode' },
    })),
  );
  expect(entries.slice(6)).toMatchObject([{ success: false, details: { reason: 'too many tries' } }]);
  expect(JSON.stringify(entries)).not.toMatch(/hunter2|sesame/);
});

test('without a passcode the area is off, and says how to turn it on', async () => {
  await identity.forgetPublished();
  const off = await startIdentity({ database });
  const answer = await off.send('POST', '/api/admin/login', { body: { passcode: PASSCODE } });
  expect(await errorOf(answer)).toMatchObject({
    status: 403,
    code: 'ADMIN_OFF',
    error: 'The admin area is off. Set ADMIN_PASSCODE to turn it on.',
  });
  expect(await off.published()).toMatchObject([
    { payload: { details: { reason: 'the admin area is off' } } },
  ]);
  await off.stop();
});

test('no sign-in succeeds while attempts cannot be counted', async () => {
  const unavailable = await startIdentity({
    env: ON,
    database,
    limiters: (rule) => {
      const refuse = () => Promise.reject(Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' }));
      return { ...memoryLimiters(rule), take: refuse, peek: refuse, reserve: refuse };
    },
  });
  const answer = await unavailable.send('POST', '/api/admin/login', { body: { passcode: PASSCODE } });
  expect(answer.status).toBe(503);
  await unavailable.stop();
});

test('a passcode that is too short stops the start, and is not shown', () => {
  expect(() => readSettings(settings, { ADMIN_PASSCODE: 'short-secret' })).not.toThrow();
  expect(() => readSettings(settings, { ADMIN_PASSCODE: 'short' })).toThrow(
    'ADMIN_PASSCODE: must have at least 12 characters',
  );
});

test('sessions that ended a month ago are removed, and with them the address is an outsider’s again', async () => {
  await enter(PASSCODE);
  const [job] = identity.service.jobs;
  job?.start();
  const left = () => database.query('SELECT 1 FROM identity.admin_sessions');
  await identity.clock.advance(30 * 24 * 60 * MINUTE_MS);
  expect(await left()).toHaveLength(1);
  await identity.clock.advance(9 * 60 * MINUTE_MS);
  await vi.waitFor(
    async () => {
      await identity.clock.advance(10 * MINUTE_MS);
      expect(await left()).toHaveLength(0);
    },
    { timeout: 5_000 },
  );
});
