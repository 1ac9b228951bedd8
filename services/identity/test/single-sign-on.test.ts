import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type AdministratorsFixture, cookiesOf, startAdministrators } from './administrators-fixture.ts';
import { errorOf } from './identity-fixture.ts';
import { CLIENT, type OpenId, REDIRECT_URI, startOpenId } from './openid-fixture.ts';

const GRACE = {
  sub: 'grace-at-the-provider',
  email: 'grace@example.org',
  email_verified: true,
  name: 'Grace Hopper',
};
const MINUTE_MS = 60_000;

let database: TestDatabase;
let openId: OpenId;
let identity: AdministratorsFixture;
beforeEach(async () => {
  database = await createTestDatabase();
  openId = await startOpenId(GRACE);
  identity = await startAdministrators({
    database,
    env: {
      ADMIN_OIDC_ISSUER: openId.issuer,
      ADMIN_OIDC_CLIENT_ID: CLIENT.id,
      ADMIN_OIDC_CLIENT_SECRET: CLIENT.secret,
      ADMIN_OIDC_LABEL: 'Example ID',
      SIGN_IN_TRIES_PER_ADDRESS: '5',
      ADMIN_OIDC_ROLES: JSON.stringify({ ops: 'owner', support: 'auditor' }),
    },
  });
});
afterEach(async () => {
  await identity.stop();
  await openId.stop();
  await database.drop();
});

/** The first step: where the browser goes, and the cookie that it keeps. */
async function begin() {
  const answer = await identity.send('POST', '/api/admin/single-sign-on', {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  });
  const { url } = (await answer.json()) as { url: string };
  return { url: new URL(url), cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', answer };
}
const finish = (query: string, cookie = '') => identity.post('single-sign-on/finish', { query }, { cookie });

async function signIn() {
  const { url, cookie } = await begin();
  return finish(await openId.visit(url.href), cookie);
}
const audited = async (action: string) =>
  (await identity.audit()).filter((payload) => (payload as { action: string }).action === action);
const refusals = async () =>
  (await audited('session.refused')).map((payload) => (payload as { details: unknown }).details);

test.each([
  [{ ADMIN_OIDC_ISSUER: 'https://id.example.org' }, 'set all three, or none'],
  [{ ADMIN_OIDC_ISSUER: 'http://id.example.org' }, 'ADMIN_OIDC_ISSUER: must be an https URL'],
  [
    { ADMIN_OIDC_ROLES: '{"ops":"root"}' },
    'ADMIN_OIDC_ROLES: must be JSON that gives each group one of owner',
  ],
  [{ ADMIN_OIDC_ROLES: 'ops=owner' }, 'ADMIN_OIDC_ROLES: must be JSON'],
  [{ ADMIN_OIDC_SCOPE: 'email' }, 'ADMIN_OIDC_SCOPE: must contain openid'],
])('the settings %o stop the start with the reason', async (env, reason) => {
  await expect(startAdministrators({ database, env })).rejects.toThrow(reason);
});

test('the browser is sent to the provider with state, nonce and PKCE, and back to an address of ours', async () => {
  const { url, answer } = await begin();
  expect(url.origin).toBe(openId.issuer);
  const asked = Object.fromEntries(url.searchParams);
  expect(asked).toEqual({
    client_id: CLIENT.id,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid email profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  expect(new Set([asked.state, asked.nonce, asked.code_challenge]).size).toBe(3);
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^admin-sign-in=[^;]+; Max-Age=600; Path=\/api\/admin; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    ),
  ]);
});

test('the way to sign in is named to the gate', async () => {
  expect(await (await identity.send('GET', '/api/admin/sign-in')).json()).toEqual({
    passcode: false,
    provider: 'Example ID',
  });
});

test('an invited administrator gets in with the verified e-mail address, and the invitation is over', async () => {
  const { token } = await identity.invite('Grace@example.org', 'survey-editor');
  const answer = await signIn();
  expect(await answer.json()).toEqual({
    ok: true,
    idleSeconds: 900,
    admin: { name: 'Grace Hopper', role: 'survey-editor' },
  });
  expect(await identity.resolveAdmin(cookiesOf(answer).sid)).toMatchObject({ name: 'Grace Hopper' });
  expect((await identity.post('invitations/open', { token })).status).toBe(404);
  expect(await identity.list()).toEqual([
    expect.objectContaining({ name: 'Grace Hopper', isActive: true, invitedUntil: null }),
  ]);
});

test('later issuer and subject find the administrator, whatever the e-mail address is then', async () => {
  await identity.invite('grace@example.org', 'survey-editor');
  await signIn();
  openId.person = { ...GRACE, email: 'hopper@example.org', email_verified: false };
  expect((await signIn()).status).toBe(200);
  expect(await identity.list()).toHaveLength(1);
});

test('another person with the e-mail address of an administrator does not get in as them', async () => {
  await identity.invite('grace@example.org', 'owner');
  await signIn();
  openId.person = { ...GRACE, sub: 'hired later', groups: ['ops'] };
  expect(await errorOf(await signIn())).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
  const [administrator] = await identity.list();
  expect(await audited('session.refused')).toMatchObject([
    {
      subject: `administrator:${administrator?.id}`,
      details: { reason: 'the email address belongs to another account of the provider' },
    },
  ]);
});

test('a group creates an administrator with its role; of several roles the highest counts', async () => {
  openId.person = { ...GRACE, groups: ['everyone', 'support', 'ops'] };
  expect(await (await signIn()).json()).toMatchObject({ admin: { name: 'Grace Hopper', role: 'owner' } });
  expect(await audited('administrator.joined')).toEqual([
    expect.objectContaining({
      actor: 'Grace Hopper',
      details: { email: 'grace@example.org', role: 'owner', method: 'single sign-on' },
    }),
  ]);
  expect(await audited('session.opened')).toEqual([
    expect.objectContaining({ actor: 'Grace Hopper', details: { method: 'single sign-on' } }),
  ]);
});

test('a provider may write one group, and what is verified, as texts, and a name that is none', async () => {
  openId.person = { ...GRACE, email_verified: 'true', groups: 'support', name: ' ' };
  const admin = { name: 'grace@example.org', role: 'auditor' };
  expect(await (await signIn()).json()).toMatchObject({ admin });
  expect(await audited('administrator.joined')).toMatchObject([{ actor: 'grace@example.org' }]);
});

test('an administrator with a password gets in with the provider, too, and keeps name and role', async () => {
  const { id } = await identity.join('grace@example.org', 'survey-editor', { name: 'Amazing Grace' });
  const admin = { name: 'Amazing Grace', role: 'survey-editor' };
  expect(await (await signIn()).json()).toMatchObject({ admin });
  expect((await audited('administrator.joined')).at(-1)).toMatchObject({
    actor: 'Amazing Grace',
    actorId: id,
    details: { method: 'single sign-on' },
  });
});

test('a group that gives the role that an invitation gave before removes it, too', async () => {
  await identity.invite('grace@example.org', 'auditor');
  await signIn();
  openId.person = { ...GRACE, groups: ['support'] };
  expect((await signIn()).status).toBe(200);
  expect(await audited('administrator.role-changed')).toEqual([]);
  openId.person = { ...GRACE, groups: [] };
  expect((await signIn()).status).toBe(403);
  const [administrator] = await identity.list();
  expect(await audited('session.refused')).toMatchObject([
    { subject: `administrator:${administrator?.id}`, details: { reason: 'no role' } },
  ]);
});

test('two windows of a new person that come back at once create one administrator', async () => {
  openId.person = { ...GRACE, groups: ['support'] };
  const answers = await Promise.all([signIn(), signIn(), signIn()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await identity.list()).toHaveLength(1);
});

test('another group changes the role at the next sign-in, and the audit trail says from what', async () => {
  await identity.join('other@example.org', 'owner');
  openId.person = { ...GRACE, groups: ['ops'] };
  await signIn();
  openId.person = { ...GRACE, groups: ['support'] };
  expect(await (await signIn()).json()).toMatchObject({ admin: { role: 'auditor' } });
  expect(await audited('administrator.role-changed')).toEqual([
    expect.objectContaining({ details: expect.objectContaining({ role: 'owner → auditor' }) }),
  ]);
});

test('without a group any more the access ends at the next sign-in, in every way, until a group gives it back', async () => {
  openId.person = { ...GRACE, groups: ['support'] };
  const { sid } = cookiesOf(await signIn());
  openId.person = { ...GRACE, groups: [] };
  expect(await errorOf(await signIn())).toMatchObject({
    code: 'PERMISSION_DENIED',
    error: expect.stringContaining('Ask an owner of it for an invitation'),
  });
  expect(await identity.resolveAdmin(sid)).toBeNull();
  expect(await identity.list()).toEqual([expect.objectContaining({ isActive: false })]);
  expect(await audited('administrator.access-ended')).toHaveLength(1);
  expect((await signIn()).status).toBe(403);
  openId.person = { ...GRACE, groups: ['support'] };
  expect((await signIn()).status).toBe(200);
});

test('an administrator with a password and passkeys keeps them in addition to the provider, and loses them with the group', async () => {
  const { id, key } = await identity.join('grace@example.org', 'auditor');
  openId.person = { ...GRACE, groups: ['support'] };
  expect((await signIn()).status).toBe(200);
  expect((await identity.signIn('grace@example.org', identity.codeOf(key))).status).toBe(200);
  await database.query(
    `INSERT INTO identity.passkeys (id, credential_id, administrator_id, public_key, counter, transports, synced, name, created_at)
     VALUES (gen_random_uuid(), 'one', $1, '', 0, '{}', false, 'Key', now())`,
    [id],
  );
  openId.person = { ...GRACE, groups: [] };
  await signIn();
  expect(await database.query('SELECT 1 FROM identity.passkeys')).toEqual([]);
  await identity.clock.advance(30_000);
  expect((await identity.signIn('grace@example.org', identity.codeOf(key))).status).toBe(401);
});

const noSession = async (answer: Response) => {
  expect(answer.headers.getSetCookie()).toEqual([]);
  const error = await errorOf(answer);
  expect(await audited('session.opened')).toEqual([]);
  return error;
};

test('without an invitation and a group there is no way in', async () => {
  openId.person = { ...GRACE, groups: ['everyone'] };
  expect(await noSession(await signIn())).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
  expect(await refusals()).toEqual([{ reason: 'no role' }]);
});

test('an invitation that has expired opens nothing', async () => {
  await identity.invite('grace@example.org');
  await identity.clock.advance(4 * 24 * 60 * MINUTE_MS);
  expect(await noSession(await signIn())).toMatchObject({ code: 'PERMISSION_DENIED' });
});

test.each([
  ['that is not verified', { ...GRACE, email_verified: false }],
  ['that the provider says nothing about', { sub: GRACE.sub, email: GRACE.email }],
  ['that is none', { sub: GRACE.sub, email_verified: true }],
])('an e-mail address %s finds no invitation, and no group helps', async (_what, person) => {
  await identity.invite('grace@example.org');
  openId.person = { ...person, groups: ['ops'] };
  expect(await noSession(await signIn())).toEqual({
    status: 403,
    code: 'EMAIL_NOT_VERIFIED',
    error: 'Example ID has not verified your email address. Verify it there and start again.',
    details: undefined,
  });
  expect(await refusals()).toEqual([{ reason: 'the email address is not verified' }]);
});

const EXPIRED = {
  status: 400,
  code: 'SIGN_IN_EXPIRED',
  error: 'This sign-in took too long or was started in another browser. Start again.',
};
const UNVERIFIED = {
  status: 403,
  code: 'SIGN_IN_REFUSED',
  error:
    'The answer from Example ID could not be verified. Start again; if that does not help, ask an owner of the admin area.',
};
const UNAVAILABLE = {
  status: 503,
  code: 'PROVIDER_UNAVAILABLE',
  error: 'Example ID can’t be reached right now. Try again in a few minutes, or sign in another way.',
};

test('a sign-in that takes more than ten minutes starts again', async () => {
  await identity.invite('grace@example.org');
  const { url, cookie } = await begin();
  const query = await openId.visit(url.href);
  await identity.clock.advance(10 * MINUTE_MS + 1);
  expect(await noSession(await finish(query, cookie))).toMatchObject(EXPIRED);
  expect(await refusals()).toEqual([{ reason: 'the sign-in with the provider had expired' }]);
});

test('an answer opens nothing in another browser, nor with another time of beginning', async () => {
  await identity.invite('grace@example.org');
  const { url, cookie } = await begin();
  const query = await openId.visit(url.href);
  expect(await noSession(await finish(query))).toMatchObject(EXPIRED);
  expect(await noSession(await finish(query, (await begin()).cookie))).toMatchObject(EXPIRED);
  const later = cookie.replace(/=\d+/, `=${identity.clock.nowMs() + MINUTE_MS}`);
  expect(await noSession(await finish(query, later))).toMatchObject(EXPIRED);
});

test('another nonce than the one that was sent is refused', async () => {
  await identity.invite('grace@example.org');
  const { url, cookie } = await begin();
  url.searchParams.set('nonce', 'of another sign-in');
  expect(await noSession(await finish(await openId.visit(url.href), cookie))).toMatchObject(UNVERIFIED);
  expect(await refusals()).toEqual([{ reason: 'the answer of the sign-in provider could not be verified' }]);
});

test('the answer of another issuer is refused', async () => {
  await identity.invite('grace@example.org');
  const foreign = await startOpenId(GRACE);
  const { url, cookie } = await begin();
  const query = await foreign.visit(url.href.replace(openId.issuer, foreign.issuer));
  await foreign.stop();
  expect(await noSession(await finish(query, cookie))).toMatchObject(UNVERIFIED);
});

test('a code opens the area once', async () => {
  await identity.invite('grace@example.org');
  const { url, cookie } = await begin();
  const query = await openId.visit(url.href);
  expect((await finish(query, cookie)).status).toBe(200);
  expect(await errorOf(await finish(query, cookie))).toMatchObject(UNVERIFIED);
});

test('a refusal of the provider says so, and nothing that the provider wrote', async () => {
  const { url, cookie } = await begin();
  const state = url.searchParams.get('state') ?? '';
  const query = new URLSearchParams({
    error: 'access_denied',
    error_description: 'an internal detail',
    state,
    iss: openId.issuer,
  });
  const error = await noSession(await finish(`${query}`, cookie));
  expect(error).toMatchObject({
    code: 'SIGN_IN_REFUSED',
    error: 'Example ID did not sign you in. Start again or sign in another way.',
  });
  expect(JSON.stringify([error, await identity.audit()])).not.toContain('an internal detail');
});

test('a provider that says that it is busy is an outage', async () => {
  for (const error of ['temporarily_unavailable', 'server_error']) {
    const { url, cookie } = await begin();
    const state = url.searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error, state, iss: openId.issuer });
    expect(await noSession(await finish(`${query}`, cookie))).toMatchObject(UNAVAILABLE);
  }
});

test('the provider is asked for its metadata once an hour', async () => {
  const status = async () => (await identity.send('POST', '/api/admin/single-sign-on')).status;
  expect(await status()).toBe(200);
  openId.breaks = true;
  expect(await status()).toBe(200);
  const later = performance.now() + 60 * MINUTE_MS;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => later);
  onTestFinished(() => now.mockRestore());
  expect(await status()).toBe(503);
});

test('with the provider down the sign-in is refused before it begins, and works as soon as it is back', async () => {
  openId.breaks = true;
  const answer = await identity.send('POST', '/api/admin/single-sign-on');
  expect(await noSession(answer)).toMatchObject(UNAVAILABLE);
  expect(await refusals()).toEqual([{ reason: 'the sign-in provider was unavailable' }]);
  openId.breaks = false;
  expect((await begin()).answer.status).toBe(200);
});

test('a provider that fails in between is an outage, not a wrong guess', async () => {
  await identity.invite('grace@example.org');
  const { url, cookie } = await begin();
  const query = await openId.visit(url.href);
  openId.breaks = true;
  for (let tries = 0; tries < 6; tries += 1) {
    expect(await noSession(await finish(query, cookie))).toMatchObject(UNAVAILABLE);
  }
  openId.breaks = false;
  expect((await finish(query, cookie)).status).toBe(200);
});

test('refused answers use up the tries of their network, and no other’s', async () => {
  await identity.invite('grace@example.org');
  const fail = () => identity.post('single-sign-on/finish', { query: '' }, { address: '198.51.100.7' });
  for (let tries = 0; tries < 5; tries += 1) await fail();
  expect(await errorOf(await fail())).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect((await signIn()).status).toBe(200);
});

test('without the passcode an owner of the provider is the last owner who stays', async () => {
  openId.person = { ...GRACE, groups: ['ops'] };
  await signIn();
  const [owner] = await identity.list();
  expect(await errorOf(await identity.asOwner('DELETE', `/${owner?.id}`))).toMatchObject({
    code: 'LAST_OWNER',
  });
});
