import { AppError } from '@casewatch/service-kit/errors/app-error';
import { memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Harness, KINDS, sameOrigin, startGateway } from './gateway-harness.ts';

describe.each(KINDS)('the API with %s services', (kind) => {
  let h: Harness;
  beforeAll(async () => {
    h = await startGateway({ kind, upstreams: (made) => made.delete('billing') });
  });
  afterAll(() => h.stop());
  beforeEach(() => {
    h.received.length = 0;
    h.resolved.length = 0;
  });

  test('takes a signed-in request to its service with the identity of the session', async () => {
    const { sid, userId } = h.signIn('pro');
    const answer = await h.send('GET', '/api/saved-cases?x=1', { sid });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject([{ userId, nickname: 'Ana Díaz', lastKnownStatus: 'pro' }]);
    expect(h.received).toMatchObject([{ service: 'cases', method: 'GET', url: '/api/saved-cases?x=1' }]);
  });

  test('takes bodies along untouched', async () => {
    const { sid } = h.signIn();
    const answer = await h.send('POST', '/api/case-status/bulk', {
      sid,
      headers: { ...sameOrigin, 'content-type': 'application/json' },
      body: JSON.stringify({ receiptNumbers: ['EAC9999103403', 'ü'] }),
    });
    expect([answer.status, answer.json()]).toEqual([
      200,
      [
        { success: true, receiptNumber: 'EAC9999103403' },
        { success: true, receiptNumber: 'ü' },
      ],
    ]);
    expect(answer.headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-request-id': h.received[0]?.headers['x-request-id'],
    });
  });

  test('answers HEAD as GET without a body', async () => {
    const { sid } = h.signIn();
    const answer = await h.send('HEAD', '/api/saved-cases', { sid });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  test('answers 204 without a body', async () => {
    const { sid } = h.signIn();
    const answer = await h.send('DELETE', '/api/saved-cases/EAC9999103403', { sid, headers: sameOrigin });
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  test('answers 401 SIGNED_OUT itself where a user is needed', async () => {
    for (const sid of [undefined, 'unknown', 'x'.repeat(500)]) {
      const answer = await h.send('GET', '/api/saved-cases', sid === undefined ? {} : { sid });
      expect([answer.status, answer.json().code]).toEqual([401, 'SIGNED_OUT']);
    }
    expect(h.received).toEqual([]);
  });

  test('lets signed-out callers use public routes and passes every Set-Cookie on', async () => {
    const answer = await h.send('POST', '/api/auth/login', {
      headers: { ...sameOrigin, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@b.test', password: 'x' }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toHaveLength(2);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^sid=new; .*HttpOnly/);
  });

  test.each([
    ['/api', 'GET'],
    ['/api/', 'GET'],
    ['/api/nothing', 'GET'],
    ['/api/saved-cases/', 'GET'],
    ['/api/saved-cases/A/B', 'GET'],
    ['/api/case-status/..', 'GET'],
    ['/api/case-status/.', 'GET'],
    ['/API/saved-cases', 'GET'],
    ['/internal/identity/resolve-session', 'POST'],
    ['/api/../internal/identity/resolve-session', 'POST'],
    ['//api/saved-cases', 'GET'],
    ['/constructor', 'POST'],
  ])('knows no route at %s (%s) and says so without the web app', async (path, method) => {
    const { sid } = h.signIn();
    const answer = await h.send(method, path, {
      sid,
      headers: { ...sameOrigin, accept: 'application/json' },
    });
    expect([404, 405]).toContain(answer.status);
    expect(answer.headers['content-type']).toMatch('application/json');
    expect(h.received).toEqual([]);
  });

  test('answers unknown API addresses with a JSON 404 even to a navigating browser', async () => {
    const answer = await h.send('GET', '/api/nothing', { headers: { accept: 'text/html' } });
    expect([answer.status, answer.json()]).toEqual([
      404,
      {
        error: 'There is nothing at this address.',
        code: 'NOT_FOUND',
        requestId: answer.headers['x-request-id'],
      },
    ]);
  });

  test.each([
    ['PUT', '/api/saved-cases', 'GET, HEAD, POST'],
    ['OPTIONS', '/api/saved-cases/EAC9999103403', 'DELETE, PATCH'],
    ['DELETE', '/api/case-status/bulk', 'POST'],
    ['TRACE', '/api/auth/me', 'DELETE, GET, HEAD, PATCH'],
  ])('answers %s %s with 405 and what is allowed', async (method, path, allow) => {
    const answer = await h.send(method, path, { headers: sameOrigin });
    expect([answer.status, answer.headers.allow, answer.json().code]).toEqual([
      405,
      allow,
      'METHOD_NOT_ALLOWED',
    ]);
  });

  test('answers malformed % sequences with 400', async () => {
    const { sid } = h.signIn();
    const answer = await h.send('GET', '/api/case-status/%ZZ', { sid });
    expect([answer.status, answer.json().code]).toEqual([400, 'BAD_REQUEST']);
  });

  test('passes the errors of services on, with Retry-After and the same request id', async () => {
    const { sid } = h.signIn();
    const busy = await h.send('GET', '/api/case-status/EAC9999103403', { sid });
    expect([busy.status, busy.headers['retry-after'], busy.json()]).toEqual([
      429,
      '7',
      { error: 'Busy.', code: 'AGENCY_BUSY', requestId: busy.headers['x-request-id'] },
    ]);
    expect(h.received[0]?.headers['x-request-id']).toBe(busy.headers['x-request-id']);
    const wrong = await h.send('GET', '/api/case-status/NOPE', { sid });
    expect([wrong.status, wrong.json().code]).toEqual([400, 'VALIDATION']);
  });

  test('never shows what went wrong inside', async () => {
    const { sid } = h.signIn();
    const answer = await h.send('GET', '/api/case-status/EAC9999103500', { sid });
    expect([answer.status, answer.json().code]).toEqual([500, 'INTERNAL']);
    expect(answer.text).not.toMatch('secret');
  });

  test('refuses bodies above 100 kB before reading them', async () => {
    const { sid } = h.signIn();
    const answer = await h.send('POST', '/api/case-status/bulk', {
      sid,
      headers: { ...sameOrigin, 'content-type': 'application/json' },
      body: Buffer.alloc(100_001, ' '),
    });
    expect([answer.status, answer.json().code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(h.received).toEqual([]);
  });

  test('leaves media types and JSON to the service, with a clear answer', async () => {
    const { sid } = h.signIn();
    const send = (type: string, body: string) =>
      h.send('POST', '/api/case-status/bulk', {
        sid,
        headers: { ...sameOrigin, 'content-type': type },
        body,
      });
    expect((await send('text/plain', 'x')).status).toBe(415);
    expect((await send('application/json', '{')).json().code).toBe('BAD_REQUEST');
  });

  test('makes up its own request id', async () => {
    const answer = await h.send('GET', '/api/nothing', { headers: { 'x-request-id': 'mine' } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('sends the cookie to identity only', async () => {
    const { sid } = h.signIn();
    await h.send('GET', '/api/auth/me', { sid });
    await h.send('GET', '/api/saved-cases', { sid });
    expect(h.received.map(({ service, headers }) => [service, headers.cookie])).toEqual([
      ['identity', `theme=dark; sid=${sid}`],
      ['cases', undefined],
    ]);
  });

  test('logs one line per request with the route and never the path', async () => {
    const { sid } = h.signIn();
    h.logs.length = 0;
    const answer = await h.send('GET', '/api/case-status/EAC1234567404?note=EAC7654321404', { sid });
    await expect.poll(() => h.logs.filter((line) => line.includes('"request"'))).toHaveLength(1);
    const line = JSON.parse(h.logs.find((text) => text.includes('"request"')) ?? '');
    expect(line).toMatchObject({
      level: 30,
      method: 'GET',
      route: '/api/case-status/:receiptNumber',
      status: 404,
      ms: expect.any(Number),
      requestId: answer.headers['x-request-id'],
    });
    expect(h.logs.join('')).not.toMatch(/EAC\d|Ana|sid=/);
  });
});

describe.each(KINDS)('sessions with %s services', (kind) => {
  let h: Harness;
  beforeAll(async () => {
    h = await startGateway({ kind });
  });
  afterAll(() => h.stop());
  beforeEach(() => {
    h.resolved.length = 0;
  });

  test('are read once in ten seconds', async () => {
    const { sid } = h.signIn();
    for (let i = 0; i < 3; i += 1) await h.send('GET', '/api/saved-cases', { sid });
    expect(h.resolved).toEqual([sid]);
    await h.clock.advance(10_000);
    await h.send('GET', '/api/saved-cases', { sid });
    expect(h.resolved).toEqual([sid, sid]);
  });

  test('are never believed past their end', async () => {
    const { sid, userId } = h.signIn();
    const expiresAt = new Date(h.clock.nowMs() + 3_000).toISOString();
    h.sessions.set(sid, { userId, sessionId: sid, tier: 'free', name: 'A', expiresAt });
    expect((await h.send('GET', '/api/saved-cases', { sid })).status).toBe(200);
    h.sessions.delete(sid);
    await h.clock.advance(3_000);
    expect((await h.send('GET', '/api/saved-cases', { sid })).status).toBe(401);
  });

  test('end at once with signing out', async () => {
    const { sid } = h.signIn();
    expect((await h.send('GET', '/api/saved-cases', { sid })).status).toBe(200);
    expect((await h.send('POST', '/api/auth/logout', { sid, headers: sameOrigin })).status).toBe(200);
    expect((await h.send('GET', '/api/saved-cases', { sid })).status).toBe(401);
  });

  test('of all browsers of a user, and of no other user, end at once with signing out everywhere', async () => {
    const one = h.signIn();
    const two = h.signIn('free', one.userId);
    const other = h.signIn();
    const everyone = [one, two, other];
    for (const { sid } of everyone) await h.send('GET', '/api/saved-cases', { sid });
    await h.send('POST', '/api/auth/logout-everywhere', { sid: one.sid, headers: sameOrigin });
    h.resolved.length = 0;
    const answers = await Promise.all(everyone.map(({ sid }) => h.send('GET', '/api/saved-cases', { sid })));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
    expect(h.resolved).not.toContain(other.sid);
  });

  test('show a new tier at once after an invalidation', async () => {
    const { sid, userId } = h.signIn('free');
    await h.send('GET', '/api/auth/me', { sid });
    h.signIn('pro', userId);
    h.sessions.set(sid, {
      userId,
      sessionId: sid,
      tier: 'pro',
      name: 'A',
      expiresAt: new Date(h.clock.nowMs() + 60_000).toISOString(),
    });
    h.forgetSessionsOf(userId);
    expect((await h.send('GET', '/api/auth/me', { sid })).json().tier).toBe('pro');
  });
});

test('a session that ended while it was being resolved is not cached', async () => {
  const question = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  let known = true;
  const h = await startGateway({
    overrides: {
      resolveSession: async () => {
        const session = known
          ? {
              userId: '0199d0c4-0000-7000-8000-000000000001',
              sessionId: '0199d0c4-0000-7000-8000-000000000002',
              tier: 'free' as const,
              name: 'A',
              expiresAt: '2027-01-01T00:00:00Z',
            }
          : null;
        if (known) {
          question.resolve();
          await answer.promise;
        }
        return session;
      },
    },
  });
  const slow = h.send('GET', '/api/saved-cases', { sid: 'a' });
  await question.promise;
  known = false;
  await h.send('POST', '/api/auth/logout', { sid: 'b', headers: sameOrigin });
  answer.resolve();
  expect((await slow).status).toBe(200);
  expect((await h.send('GET', '/api/saved-cases', { sid: 'a' })).status).toBe(401);
  await h.stop();
});

test('requests of one session at the same time ask identity once', async () => {
  let asked = 0;
  let arrived = 0;
  const allArrived = Promise.withResolvers<void>();
  const h = await startGateway({
    overrides: {
      limiters: (rule) => {
        const limiter = memoryLimiters(rule);
        return {
          ...limiter,
          take: (key) => {
            arrived += 1;
            // The last is past its limit, and in the queue of its session, when all that is ready has run.
            if (arrived === 8) setImmediate(allArrived.resolve);
            return limiter.take(key);
          },
        };
      },
      resolveSession: async () => {
        asked += 1;
        await allArrived.promise;
        return null;
      },
    },
  });
  await Promise.all(Array.from({ length: 8 }, () => h.send('GET', '/api/saved-cases', { sid: 'a' })));
  expect([asked, arrived]).toEqual([1, 8]);
  await h.stop();
});

test.each([
  [new Error('connection refused'), '2'],
  [new AppError('UNAVAILABLE', 'UNAVAILABLE', { retryAfterSeconds: 5 }), '5'],
])('identity being down is 503 with Retry-After and not signed out (%s)', async (failure, retryAfter) => {
  const h = await startGateway({
    overrides: {
      resolveSession: async () => {
        throw failure;
      },
    },
  });
  const answer = await h.send('GET', '/api/saved-cases', { sid: 'a' });
  expect([answer.status, answer.headers['retry-after'], answer.json().code]).toEqual([
    503,
    retryAfter,
    'UNAVAILABLE',
  ]);
  const signOut = await h.send('POST', '/api/auth/logout', { sid: 'a', headers: sameOrigin });
  expect(signOut.status).toBe(200);
  await h.stop();
});

test('a service that this gateway does not know is 503 UNAVAILABLE', async () => {
  const h = await startGateway({ upstreams: (made) => made.delete('cases') });
  const { sid } = h.signIn();
  const answer = await h.send('GET', '/api/saved-cases', { sid });
  expect([answer.status, answer.json().code]).toEqual([503, 'UNAVAILABLE']);
  expect(answer.headers['retry-after']).toBe('2');
  await h.stop();
});

test('over HTTPS only the __Host- cookie is a session', async () => {
  const h = await startGateway({ env: { PUBLIC_URL: 'https://casewatch.test' } });
  const { sid } = h.signIn();
  expect((await h.send('GET', '/api/saved-cases', { sid })).status).toBe(401);
  const answer = await h.send('GET', '/api/saved-cases', { headers: { cookie: `__Host-sid=${sid}` } });
  expect(answer.status).toBe(200);
  await h.stop();
});

describe('the probes', () => {
  test('distinguish liveness from readiness', async () => {
    const h = await startGateway({
      overrides: {
        ready: async () => {
          throw new Error('database unavailable');
        },
      },
    });
    expect((await h.send('GET', '/livez')).status).toBe(200);
    expect((await h.send('GET', '/healthz')).status).toBe(200);
    const ready = await h.send('GET', '/readyz');
    expect([ready.status, ready.text]).toEqual([503, '{"status":"not ready"}']);
    await h.stop();
  });
});
