import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AdministratorsFixture, cookiesOf, startAdministrators } from './administrators-fixture.ts';
import { errorOf } from './identity-fixture.ts';
import { CLIENT, type Claims, type OpenId, startOpenId } from './openid-fixture.ts';
import { overtake } from './overtake.ts';

/** What the answers of providers do to roles: no answer, and no two at once, leave the area without an owner. */

const GRACE = {
  sub: 'grace-at-the-provider',
  email: 'grace@example.org',
  email_verified: true,
  name: 'Grace Hopper',
};
const OWNERS = { ...GRACE, groups: ['ops'] };

let database: TestDatabase;
let openId: OpenId;
let identity: AdministratorsFixture;
const start = (env: Record<string, string> = {}) =>
  startAdministrators({
    database,
    env: {
      ADMIN_OIDC_ISSUER: openId.issuer,
      ADMIN_OIDC_CLIENT_ID: CLIENT.id,
      ADMIN_OIDC_CLIENT_SECRET: CLIENT.secret,
      ADMIN_OIDC_LABEL: 'Example ID',
      ADMIN_OIDC_ROLES: JSON.stringify({ ops: 'owner', support: 'auditor' }),
      ...env,
    },
  });
beforeEach(async () => {
  database = await createTestDatabase();
  openId = await startOpenId(OWNERS);
  identity = await start();
});
afterEach(async () => {
  await identity.stop();
  await openId.stop();
  await database.drop();
});

async function signIn(): Promise<Response> {
  const begun = await identity.send('POST', '/api/admin/single-sign-on');
  const { url } = (await begun.json()) as { url: string };
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return identity.post('single-sign-on/finish', { query: await openId.visit(url) }, { cookie });
}
const roleOf = async (answer: Response) =>
  ((await answer.json()) as { admin?: { role: string } }).admin?.role;
const audited = async (action: string) =>
  (await identity.audit()).filter((payload) => (payload as { action: string }).action === action);
const rows = () =>
  database.query<{ role: string; oidc_subject: string | null; password_hash: string | null }>(
    'SELECT role, oidc_subject, password_hash FROM identity.administrators ORDER BY created_at',
  );

/** Answers that do not say which groups a person is in. */
const SILENT: [string, (claims: Claims) => Claims][] = [
  ['without groups', ({ groups: _, ...rest }) => rest],
  ['whose groups are objects', (claims) => ({ ...claims, groups: [{ name: 'support' }] })],
  ['whose groups are texts and other things', (claims) => ({ ...claims, groups: ['support', 7] })],
  ['whose groups are null', (claims) => ({ ...claims, groups: null })],
  [
    'that keeps the groups at another endpoint',
    ({ groups: _, ...rest }) => ({
      ...rest,
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.example.com/me/groups' } },
    }),
  ],
];

test.each(SILENT)(
  'an answer %s ends no one’s access, and opens nothing for a role that a group gave',
  async (_what, silent) => {
    await identity.join('other@example.org', 'owner');
    const { sid } = cookiesOf(await signIn());
    const before = await rows();
    openId.userInfo = silent;
    expect(await errorOf(await signIn())).toMatchObject({
      status: 403,
      code: 'PERMISSION_DENIED',
      error: expect.stringContaining('Example ID did not say which groups you are in'),
    });
    expect(await rows()).toEqual(before);
    expect(await identity.resolveAdmin(sid)).not.toBeNull();
    expect(await audited('administrator.access-ended')).toEqual([]);
    expect(await audited('session.refused')).toMatchObject([
      { details: { reason: 'the answer of the sign-in provider names no groups' } },
    ]);
    openId.userInfo = (claims) => claims;
    expect((await signIn()).status).toBe(200);
  },
);

test.each(SILENT)('an answer %s lets the last owner in, who stays one', async (_what, silent) => {
  await signIn();
  const before = await rows();
  openId.userInfo = silent;
  expect(await roleOf(await signIn())).toBe('owner');
  expect(await rows()).toEqual(before);
});

test.each([
  ['no group', []],
  ['the group of another role', ['support']],
  ['a text that is no group', ''],
])('the last owner stays one whatever the groups say: %s', async (_what, groups) => {
  const { sid } = cookiesOf(await signIn());
  openId.person = { ...GRACE, groups };
  expect(await roleOf(await signIn())).toBe('owner');
  expect(await identity.resolveAdmin(sid), 'no session ends').not.toBeNull();
  expect((await audited('session.opened')).at(-1)).toMatchObject({
    role: 'owner',
    details: { method: 'single sign-on', note: expect.stringContaining('the last owner stays one') },
  });
  // As soon as there is another owner, the groups count.
  await identity.join('other@example.org', 'owner');
  const next = await signIn();
  expect([next.status, await roleOf(next)]).toEqual(
    groups.includes('support') ? [200, 'auditor'] : [403, undefined],
  );
});

test('an owner with a password who comes with the group of another role for the first time stays the last owner', async () => {
  await identity.join('grace@example.org', 'owner');
  openId.person = { ...GRACE, groups: ['support'] };
  expect(await roleOf(await signIn())).toBe('owner');
  await identity.join('other@example.org', 'owner');
  expect(await roleOf(await signIn())).toBe('auditor');
});

test('with the passcode there is a way in, so that the groups of the last owner count', async () => {
  await signIn();
  await identity.stop();
  identity = await start({ ADMIN_PASSCODE: 'a passcode that is long' });
  openId.person = { ...GRACE, groups: [] };
  expect((await signIn()).status).toBe(403);
  expect(await audited('administrator.access-ended')).toHaveLength(1);
});

test.each([
  ['provider', () => 'https://id.before.example'],
  ['realm of the provider', () => `${openId.issuer}/realms/before`],
])(
  'an owner who signed in with another %s than the present one is no owner who can sign in',
  async (_what, before) => {
    await signIn();
    await database.query(
      `INSERT INTO identity.administrators (id, email, email_key, role, recovery_hashes, created_at, oidc_issuer, oidc_subject)
     VALUES (gen_random_uuid(), 'old@example.org', 'old@example.org', 'owner', '{}', now(), $1, 'one')`,
      [before()],
    );
    openId.person = { ...GRACE, groups: [] };
    expect(await roleOf(await signIn())).toBe('owner');
    const grace = (await identity.list()).find(({ email }) => email === 'grace@example.org');
    expect(await errorOf(await identity.asOwner('DELETE', `/${grace?.id}`))).toMatchObject({
      code: 'LAST_OWNER',
    });
  },
);

test('an owner of any tenant can sign in with a provider that is configured for all of them', async () => {
  await identity.stop();
  identity = await start({ ADMIN_OIDC_ISSUER: 'https://login.microsoftonline.com/organizations/v2.0' });
  const rows = await database.query<{ id: string }>(
    `INSERT INTO identity.administrators (id, email, email_key, role, recovery_hashes, created_at, oidc_issuer, oidc_subject)
     SELECT gen_random_uuid(), tenant, tenant, 'owner', '{}', now(), 'https://login.microsoftonline.com/' || tenant || '/v2.0', 'one'
     FROM unnest(ARRAY['a@example.org', 'b@example.org']) AS tenant RETURNING id`,
  );
  const [first, second] = rows.map(({ id }) => `/${id}`);
  expect((await identity.asOwner('DELETE', first ?? '')).status).toBe(200);
  expect(await errorOf(await identity.asOwner('DELETE', second ?? ''))).toMatchObject({ code: 'LAST_OWNER' });
});

test.each([
  ['loses the role', "UPDATE administrators SET role = 'auditor' WHERE id = $1"],
  ['is removed', 'DELETE FROM administrators WHERE id = $1'],
])('of two owners who go at the same time one stays: the other %s', async (_what, sql) => {
  const { id } = await identity.join('other@example.org', 'owner');
  await signIn();
  openId.person = { ...GRACE, groups: [] };
  const answer = await overtake(database, sql, [id], signIn);
  expect(await roleOf(answer)).toBe('owner');
  expect((await rows()).filter(({ role }) => role === 'owner')).toHaveLength(1);
});

test('two owners whose groups say another role at the same time: one becomes it, one stays', async () => {
  await signIn();
  openId.person = { ...OWNERS, sub: 'ada', email: 'ada@example.org', name: 'Ada' };
  await signIn();
  const people = [GRACE, { ...GRACE, sub: 'ada', email: 'ada@example.org', name: 'Ada' }];
  const attempts = [];
  for (const person of people) {
    openId.person = { ...person, groups: ['support'] };
    const begun = await identity.send('POST', '/api/admin/single-sign-on');
    const { url } = (await begun.json()) as { url: string };
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    attempts.push({ cookie, query: await openId.visit(url) });
  }
  openId.idToken = (claims) => ({ ...claims, groups: ['support'] });
  const answers = await Promise.all(
    attempts.map(({ cookie, query }) => identity.post('single-sign-on/finish', { query }, { cookie })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await rows()).map(({ role }) => role).sort()).toEqual(['auditor', 'owner']);
});

test('without the mapping of groups an answer ends no one’s access', async () => {
  await identity.join('other@example.org', 'owner');
  await signIn();
  const before = await rows();
  await identity.stop();
  identity = await start({ ADMIN_OIDC_ROLES: '{}' });
  expect((await signIn()).status).toBe(403);
  expect(await rows()).toEqual(before);
});

test.each<[string, Claims, Claims, string | undefined]>([
  [
    'in the ID token, verified',
    { email: 'grace@example.org', email_verified: true },
    {},
    'grace@example.org',
  ],
  ['in UserInfo, verified', {}, { email: 'grace@example.org', email_verified: true }, 'grace@example.org'],
  [
    'in both, verified in UserInfo',
    { email: 'grace@example.org' },
    { email: 'grace@example.org', email_verified: true },
    'grace@example.org',
  ],
  [
    'in the ID token, another one verified in UserInfo',
    { email: 'grace@example.org' },
    { email: 'eve@example.org', email_verified: true },
    'eve@example.org',
  ],
  [
    'in the ID token, verified by UserInfo alone',
    { email: 'grace@example.org' },
    { email_verified: true },
    undefined,
  ],
  [
    'in UserInfo, verified by the ID token alone',
    { email_verified: true },
    { email: 'grace@example.org' },
    undefined,
  ],
  [
    'in UserInfo, the ID token has another one verified that is none',
    { email: 'none', email_verified: true },
    { email: 'grace@example.org' },
    undefined,
  ],
])('an e-mail address %s', async (_what, inIdToken, inUserInfo, found) => {
  openId.person = { sub: GRACE.sub };
  openId.idToken = (claims) => ({ ...claims, ...inIdToken });
  openId.userInfo = (claims) => ({ ...claims, ...inUserInfo, groups: ['support'] });
  const answer = await signIn();
  expect((await identity.list()).map(({ email }) => email)).toEqual(found === undefined ? [] : [found]);
  if (found === undefined) expect(await errorOf(answer)).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
});

test.each<[string, (claims: Claims) => Claims]>([
  ['for another party (azp)', (claims) => ({ ...claims, azp: 'another-client' })],
  ['for another audience', (claims) => ({ ...claims, aud: 'another-client' })],
  ['for several audiences without a party', (claims) => ({ ...claims, aud: [CLIENT.id, 'another-client'] })],
  ['of another issuer', (claims) => ({ ...claims, iss: 'https://id.example.org' })],
  ['of the issuer with a slash at its end', (claims) => ({ ...claims, iss: `${String(claims.iss)}/` })],
  ['of another sign-in (nonce)', (claims) => ({ ...claims, nonce: 'another' })],
  ['without a nonce', ({ nonce: _, ...claims }) => claims],
  ['that has expired', (claims) => ({ ...claims, exp: 1 })],
  ['about another person than UserInfo', (claims) => ({ ...claims, sub: 'another' })],
])('an ID token %s is refused', async (_what, change) => {
  await identity.invite('grace@example.org', 'owner');
  openId.idToken = change;
  expect(await errorOf(await signIn())).toMatchObject({ status: 403, code: 'SIGN_IN_REFUSED' });
  expect(await audited('session.opened')).toEqual([]);
});

test('an ID token for several audiences with us as the party is taken', async () => {
  openId.idToken = (claims) => ({ ...claims, aud: [CLIENT.id, 'another'], azp: CLIENT.id });
  expect((await signIn()).status).toBe(200);
});
