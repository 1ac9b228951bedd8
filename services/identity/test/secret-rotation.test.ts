import { startRollUnderLoad, stopWithTest } from '@casewatch/testing/roll-under-load';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type AdministratorsFixture, cookiesOf, startAdministrators } from './administrators-fixture.ts';
import { errorOf } from './identity-fixture.ts';
import { CLIENT, type OpenId, startOpenId } from './openid-fixture.ts';

/** "Rotate secrets" of docs/operations.md, where identity has the secret: of two processes one has it replaced already. */

const NEWER_SECRET = 'the next secret of the client at the provider';
const [OLDER_PASSCODE, NEWER_PASSCODE] = ['open sesame, please', 'the next passcode, please'];

let database: TestDatabase;
beforeEach(async () => {
  const made = await createTestDatabase();
  onTestFinished(() => made.drop());
  database = made;
});

const start = async (env: Record<string, string>) =>
  stopWithTest(await startAdministrators({ database, env }));

async function enter(process: AdministratorsFixture, passcode: string) {
  const answer = await process.post('login', { passcode }, { address: '198.51.100.1' });
  return { status: answer.status, ...cookiesOf(answer) };
}

/** A request that needs the admin session. */
async function useSession(process: AdministratorsFixture, sid: string): Promise<Response> {
  const answer = await process.send('POST', '/internal/identity/resolve-admin-session', { body: { sid } });
  const { session } = (await answer.clone().json()) as { session: unknown };
  if (session === null) throw new Error('the session is over');
  return answer;
}

test('while the passcode is replaced each process opens with its own, and sessions of administrators and users stay valid', async () => {
  const older = await start({ ADMIN_PASSCODE: OLDER_PASSCODE });
  const grace = await older.join('grace@example.org');
  const ada = await older.signUp('ada@example.org');
  const { sid } = await enter(older, OLDER_PASSCODE);
  const roll = startRollUnderLoad(older, async (process) => {
    if (!(await process.resolve(ada.sid))) throw new Error("the user's session is over");
    return useSession(process, grace.sid);
  });
  const newer = await start({ ADMIN_PASSCODE: NEWER_PASSCODE });
  await roll.add(newer);

  expect(await newer.resolveAdmin(sid)).toBeNull();
  expect(await older.resolveAdmin(sid)).not.toBeNull();
  expect((await enter(newer, OLDER_PASSCODE)).status).toBe(401);
  expect((await enter(older, NEWER_PASSCODE)).status).toBe(401);
  const entered = await enter(newer, NEWER_PASSCODE);
  expect(await older.resolveAdmin(entered.sid)).toBeNull();
  expect(await newer.resolveAdmin(entered.sid)).not.toBeNull();

  await roll.remove(older);
  expect(await newer.resolveAdmin(sid)).toBeNull();
  expect(await newer.resolveAdmin(entered.sid)).not.toBeNull();
  expect(await roll.end()).toEqual([]);
});

/** A process with this secret at the provider. */
const startWith = (openId: OpenId, clientSecret: string) =>
  start({
    ADMIN_OIDC_ISSUER: openId.issuer,
    ADMIN_OIDC_CLIENT_ID: CLIENT.id,
    ADMIN_OIDC_CLIENT_SECRET: clientSecret,
    ADMIN_OIDC_ROLES: JSON.stringify({ ops: 'owner' }),
  });

async function openProvider(): Promise<OpenId> {
  const grace = { sub: 'grace', email: 'grace@example.org', email_verified: true, groups: ['ops'] };
  const openId = await startOpenId(grace);
  onTestFinished(() => openId.stop());
  return openId;
}

async function begin(process: AdministratorsFixture) {
  const answer = await process.send('POST', '/api/admin/single-sign-on');
  const { url } = (await answer.json()) as { url: string };
  return { url, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

/** Goes to the provider at `beginning`, and comes back to `ending`. */
async function signIn(openId: OpenId, beginning: AdministratorsFixture, ending = beginning) {
  const { url, cookie } = await begin(beginning);
  return ending.post('single-sign-on/finish', { query: await openId.visit(url) }, { cookie });
}

test('the client secret of single sign-on is replaced while the provider accepts both: sign-ins succeed, sessions stay valid', async () => {
  const openId = await openProvider();
  const older = await startWith(openId, CLIENT.secret);
  const { sid } = cookiesOf(await signIn(openId, older));
  const roll = startRollUnderLoad(older, async (process) => {
    await useSession(process, sid);
    return signIn(openId, process);
  });
  openId.secrets = [CLIENT.secret, NEWER_SECRET];
  const newer = await startWith(openId, NEWER_SECRET);
  await roll.add(newer);
  await roll.remove(older);
  openId.secrets = [NEWER_SECRET];
  await roll.goOn();
  expect(await roll.end()).toEqual([]);
});

test('a sign-in that begins with one client secret and ends with the other starts again, and then succeeds', async () => {
  const openId = await openProvider();
  openId.secrets = [CLIENT.secret, NEWER_SECRET];
  const older = await startWith(openId, CLIENT.secret);
  const newer = await startWith(openId, NEWER_SECRET);
  for (const [one, other] of [
    [older, newer],
    [newer, older],
  ] as const) {
    expect(await errorOf(await signIn(openId, one, other))).toMatchObject({
      code: 'SIGN_IN_EXPIRED',
      error: expect.stringContaining('Start again'),
    });
    expect((await signIn(openId, other)).status).toBe(200);
  }
});

test('a process with a client secret that the provider refuses opens nothing, and sessions stay valid', async () => {
  const openId = await openProvider();
  const older = await startWith(openId, CLIENT.secret);
  const { sid } = cookiesOf(await signIn(openId, older));
  const roll = startRollUnderLoad(older, (process) => useSession(process, sid));
  openId.secrets = [NEWER_SECRET];
  expect(await errorOf(await signIn(openId, older))).toMatchObject({
    code: 'SIGN_IN_REFUSED',
    error: expect.stringContaining('Start again'),
  });
  const newer = await startWith(openId, NEWER_SECRET);
  await roll.add(newer);
  expect((await signIn(openId, newer)).status).toBe(200);
  await roll.remove(older);
  expect(await roll.end()).toEqual([]);
});
