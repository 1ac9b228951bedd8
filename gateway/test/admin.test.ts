import { randomUUID } from 'node:crypto';
import { ADMIN_ROLES, type AdminRole, isPermitted } from '@casewatch/contracts/admin-roles';
import { routes } from '@casewatch/contracts/routes';
import { createAdminTokenIssuer } from '@casewatch/service-kit/http/admin-token';
import { createTokenIssuer } from '@casewatch/service-kit/http/identity-token';
import { ADMIN_HEADER, IDENTITY_HEADER } from '@casewatch/service-kit/http/internal-headers';
import jsonwebtoken from 'jsonwebtoken';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Harness, KINDS, sameOrigin, startGateway } from './gateway-harness.ts';

const ADMINISTRATOR = '0198d2f0-6a1c-7a53-8f5e-000000000001';
const OWNER = { role: 'owner', name: 'passcode', administratorId: null } as const;
const SURVEYS = '/api/admin/surveys';
const adminRoutes = routes.filter(({ access }) => access === 'admin');

describe.each(KINDS)('with %s services, an admin route', (kind) => {
  let h: Harness;
  beforeAll(async () => {
    h = await startGateway({ kind });
  });
  afterAll(() => h.stop());
  beforeEach(() => {
    h.received.length = 0;
    h.resolved.length = 0;
  });

  const openSession = (role: AdminRole = 'owner') => {
    const sid = randomUUID();
    const sessionId = randomUUID();
    h.adminSessions.set(sid, { sessionId, role, name: 'Grace Hopper', administratorId: ADMINISTRATOR });
    return { sid, sessionId };
  };
  const asAdmin = (sid: string) => ({ cookie: `theme=dark; admin-sid=${sid}` });

  test('opens with the admin cookie; its service gets the session in a token for that service alone', async () => {
    const { sid, sessionId } = openSession();
    const answer = await h.send('GET', SURVEYS, { headers: asAdmin(sid) });
    expect(answer.status).toBe(200);
    const headers = h.received[0]?.headers ?? {};
    const token = jsonwebtoken.decode(String(headers[ADMIN_HEADER]), { json: true });
    expect(token).toMatchObject({
      sub: sessionId,
      scope: 'admin',
      aud: 'surveys',
      role: 'owner',
      name: 'Grace Hopper',
      administrator: ADMINISTRATOR,
    });
    expect((token?.exp ?? Infinity) - h.clock.nowMs() / 1000).toBeLessThanOrEqual(60);
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty(IDENTITY_HEADER);
  });

  test('asks about the session every time, so that its end is felt at once', async () => {
    const { sid } = openSession();
    for (let nth = 0; nth < 3; nth++) await h.send('GET', SURVEYS, { headers: asAdmin(sid) });
    expect(h.resolved).toEqual([sid, sid, sid]);
    h.adminSessions.delete(sid);
    expect((await h.send('GET', SURVEYS, { headers: asAdmin(sid) })).status).toBe(401);
  });

  test.each(adminRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s is closed to the signed-out, to users and to forgers, and shows nothing',
    async (_name, { method, path }) => {
      const { sid, userId } = h.signIn('pro');
      const issue = createTokenIssuer(h.keys.privateKey, h.clock);
      const issueAdmin = createAdminTokenIssuer(h.keys.privateKey, h.clock);
      const url = path.replaceAll(/:\w+/g, randomUUID());
      const attempts: Record<string, string>[] = [
        {},
        { cookie: `sid=${sid}` },
        { cookie: `admin-sid=${sid}` },
        { cookie: `admin-sid=${randomUUID()}` },
        { cookie: `admin-sid=${'x'.repeat(300)}` },
        { [ADMIN_HEADER]: issueAdmin({ sessionId: randomUUID(), ...OWNER }, 'surveys') },
        { [IDENTITY_HEADER]: issue({ userId, sessionId: randomUUID(), tier: 'pro', name: 'A' }, 'surveys') },
        { 'x-user-role': 'admin', authorization: 'Bearer admin' },
      ];
      for (const headers of attempts) {
        const answer = await h.send(method, url, { headers: { ...sameOrigin, ...headers } });
        expect(answer.status).toBe(401);
        expect(answer.json()).toEqual({
          code: 'ADMIN_REQUIRED',
          error: 'Sign in to the admin area to continue.',
          requestId: expect.any(String),
        });
      }
      expect(h.received).toEqual([]);
    },
  );

  test.each(adminRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s lets a role through or refuses it, as its contract says',
    async (_name, { method, path, service, permission }) => {
      for (const role of ADMIN_ROLES) {
        h.received.length = 0;
        const { sid } = openSession(role);
        const answer = await h.send(method, path.replaceAll(/:\w+/g, randomUUID()), {
          headers: { ...asAdmin(sid), ...sameOrigin },
        });
        const isDenied = answer.status === 403 && answer.json().code === 'PERMISSION_DENIED';
        expect([role, isDenied]).toEqual([role, !isPermitted(role, permission)]);
        // The harness has no service of some routes: what is let through there is answered 503.
        expect(h.received.map((each) => each.service)).toEqual(
          isDenied || answer.status === 503 ? [] : [service],
        );
      }
    },
  );

  test('does not open while identity can’t be asked', async () => {
    const unavailable = await startGateway({
      kind,
      overrides: { resolveAdminSession: () => Promise.reject(new Error('unavailable')) },
    });
    const answer = await unavailable.send('GET', SURVEYS, { headers: asAdmin('some') });
    expect([answer.status, answer.json().code]).toEqual([503, 'UNAVAILABLE']);
    await unavailable.stop();
  });

  test('takes no change that another site caused', async () => {
    const { sid } = openSession();
    const answer = await h.send('POST', SURVEYS, {
      headers: { ...asAdmin(sid), 'sec-fetch-site': 'cross-site' },
    });
    expect([answer.status, answer.json().code]).toEqual([403, 'CSRF']);
  });
});

describe('the admin cookie', () => {
  test('opens no user route, and goes to identity alone', async () => {
    const h = await startGateway();
    const sid = randomUUID();
    h.adminSessions.set(sid, { sessionId: randomUUID(), ...OWNER });
    const headers = { cookie: `admin-sid=${sid}`, ...sameOrigin };
    expect((await h.send('GET', '/api/saved-cases', { headers })).status).toBe(401);
    await h.send('GET', '/api/case-status/EAC9999103403', { headers });
    await h.send('POST', '/api/auth/logout', { headers });
    expect(h.received.map(({ service, headers: { cookie } }) => [service, cookie])).toEqual([
      ['identity', `admin-sid=${sid}`],
    ]);
    await h.stop();
  });

  test('is another one over HTTPS, and the plain one then counts for nothing', async () => {
    const h = await startGateway({ env: { PUBLIC_URL: 'https://cases.example.org' } });
    const sid = randomUUID();
    h.adminSessions.set(sid, { sessionId: randomUUID(), ...OWNER });
    const status = async (name: string) =>
      (await h.send('GET', SURVEYS, { headers: { cookie: `${name}=${sid}` } })).status;
    expect(await status('admin-sid')).toBe(401);
    expect(await status('__Secure-admin-sid')).toBe(200);
    await h.stop();
  });
});

describe('a service that is reached directly', () => {
  let h: Harness;
  let base: string;
  let casesBase: string;
  beforeAll(async () => {
    h = await startGateway({
      kind: 'remote',
      upstreams: (made) => {
        const surveys = made.get('surveys');
        base = surveys?.kind === 'remote' ? surveys.url : '';
        const cases = made.get('cases');
        casesBase = cases?.kind === 'remote' ? cases.url : '';
      },
    });
  });
  afterAll(() => h.stop());

  const ask = async (token: string, header = ADMIN_HEADER) =>
    (await fetch(`${base}${SURVEYS}`, { headers: { [header]: token } })).status;
  const sign = (extra: object, seconds = 60) => {
    const exp = Math.floor(h.clock.nowMs() / 1000) + seconds;
    const claims = {
      sub: randomUUID(),
      scope: 'admin',
      role: 'owner',
      name: 'passcode',
      aud: 'surveys',
      iss: 'casewatch-gateway',
      exp,
    };
    return jsonwebtoken.sign({ ...claims, ...extra }, h.keys.privateKey, { algorithm: 'ES256' });
  };

  test('refuses a user’s token that the gateway signed', async () => {
    const issue = createTokenIssuer(h.keys.privateKey, h.clock);
    const user = { userId: randomUUID(), sessionId: randomUUID(), tier: 'pro', name: 'A' } as const;
    expect(await ask(issue(user, 'surveys'))).toBe(401);
  });

  test('takes the gateway’s admin token for itself', async () => {
    expect(await ask(sign({}))).toBe(200);
  });

  test('asks for the permission itself, whatever the gateway has let through', async () => {
    const denied = await fetch(`${base}${SURVEYS}`, {
      method: 'POST',
      headers: { [ADMIN_HEADER]: sign({ role: 'auditor' }), 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'x' }),
    });
    expect([denied.status, await denied.json()]).toMatchObject([403, { code: 'PERMISSION_DENIED' }]);
  });

  test.each([
    ['another scope', { scope: 'user' }, 60],
    ['a token for another service', { aud: 'admin-log' }, 60],
    ['another issuer', { iss: 'someone' }, 60],
    ['an expired token', {}, -1],
    ['a token without a role', { role: undefined }, 60],
    ['a role that does not exist', { role: 'god' }, 60],
  ])('refuses %s on an admin route', async (_name, extra, seconds) => {
    expect(await ask(sign(extra, seconds))).toBe(401);
  });

  test('refuses the admin token where a user’s belongs, on either kind of route', async () => {
    expect(await ask(sign({}), IDENTITY_HEADER)).toBe(401);
    const asUser = sign({ aud: 'cases', tier: 'pro', name: 'A' });
    const answer = await fetch(`${casesBase}/api/saved-cases`, { headers: { [IDENTITY_HEADER]: asUser } });
    expect(answer.status).toBe(401);
  });
});
