import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { IDENTITY_HEADER } from '@casewatch/service-kit/http/internal-headers';
import jsonwebtoken from 'jsonwebtoken';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Harness, KINDS, startGateway } from './gateway-harness.ts';
import { sendRaw } from './raw-socket.ts';

const VICTIM = '0199d0c4-0000-7000-8000-00000000dead';

describe.each(KINDS)('with %s services, a client', (kind) => {
  let h: Harness;
  beforeAll(async () => {
    h = await startGateway({ kind });
  });
  afterAll(() => h.stop());
  beforeEach(() => {
    h.received.length = 0;
  });

  const forged = {
    'x-user-id': VICTIM,
    'x-user-tier': 'pro',
    'x-casewatch-address': '203.0.113.9',
    'x-casewatch-internal': 'test-internal',
    'x-internal-user': VICTIM,
    authorization: `Bearer ${VICTIM}`,
    forwarded: 'for=203.0.113.9',
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    'x-real-ip': '203.0.113.9',
    'true-client-ip': '203.0.113.9',
  };

  test('can’t set any header that means something inside', async () => {
    const { sid } = h.signIn();
    await h.send('GET', '/api/saved-cases', { sid, headers: forged });
    const headers = h.received[0]?.headers ?? {};
    for (const name of Object.keys(forged).filter((known) => known !== 'x-casewatch-address')) {
      expect(headers, name).not.toHaveProperty(name);
    }
    expect(headers['x-casewatch-address']).toBe('127.0.0.1');
  });

  test('can’t remove a header of ours by naming it in Connection, nor the message’s own frame', async () => {
    const { sid, userId } = h.signIn();
    const connection = `close, x-hop, content-length, ${IDENTITY_HEADER}, x-request-id`;
    const body = JSON.stringify({ receiptNumbers: ['EAC9999103403'] });
    const answer = await sendRaw(
      h.port,
      [
        'POST /api/case-status/bulk HTTP/1.1',
        'Host: localhost',
        `Cookie: sid=${sid}`,
        'Sec-Fetch-Site: same-origin',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'X-Hop: 1',
        `Connection: ${connection}`,
        '',
        body,
      ].join('\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const headers: IncomingHttpHeaders = h.received[0]?.headers ?? {};
    expect(headers).not.toHaveProperty('x-hop');
    expect(headers['content-length']).toBe(String(body.length));
    const token = jsonwebtoken.decode(String(headers[IDENTITY_HEADER]));
    expect(token).toMatchObject({ sub: userId, aud: 'cases' });
  });

  test('gains no identity by any token of its own making', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const now = Math.floor(h.clock.nowMs() / 1000);
    const claims = {
      sub: VICTIM,
      tier: 'pro',
      name: 'V',
      aud: 'cases',
      iss: 'casewatch-gateway',
      exp: now + 60,
    };
    const tokens = [
      jsonwebtoken.sign(claims, null, { algorithm: 'none' }),
      jsonwebtoken.sign(claims, other.privateKey, { algorithm: 'ES256' }),
      jsonwebtoken.sign(claims, h.keys.privateKey, { algorithm: 'ES256' }),
    ];
    for (const token of tokens) {
      const answer = await h.send('GET', '/api/saved-cases', { headers: { [IDENTITY_HEADER]: token } });
      expect(answer.status).toBe(401);
    }
    expect(h.received).toEqual([]);
  });

  test('can’t dodge the address limit by claiming to come from another address', async () => {
    const limited = await startGateway({ kind, env: { RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '2' } });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${n}`, 'x-real-ip': `198.51.100.${n}` };
      statuses.push((await limited.send('GET', '/api/saved-cases', { headers })).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
    await limited.stop();
  });

  test('behind one proxy of ours is known by what that proxy wrote, not by its own claim', async () => {
    const proxied = await startGateway({ kind, env: { TRUST_PROXY_HOPS: '1' } });
    const { sid } = proxied.signIn();
    await proxied.send('GET', '/api/saved-cases', {
      sid,
      headers: { 'x-forwarded-for': '203.0.113.66, 198.51.100.7' },
    });
    expect(proxied.received[0]?.headers['x-casewatch-address']).toBe('198.51.100.7');
    await proxied.stop();
  });
});

describe('a service that is reached directly', () => {
  let h: Harness;
  let base: string;
  beforeAll(async () => {
    h = await startGateway({
      kind: 'remote',
      upstreams: (made) => {
        const cases = made.get('cases');
        base = cases?.kind === 'remote' ? cases.url : '';
      },
    });
  });
  afterAll(() => h.stop());

  const ask = async (token: string) =>
    (await fetch(`${base}/api/saved-cases`, { headers: { [IDENTITY_HEADER]: token } })).status;
  const claims = (seconds: number) => ({
    sub: VICTIM,
    tier: 'pro',
    name: 'V',
    session: '22222222-2222-4222-8222-222222222222',
    iss: 'casewatch-gateway',
    exp: Math.floor(h.clock.nowMs() / 1000) + seconds,
  });
  const sign = (extra: object, seconds = 60) =>
    jsonwebtoken.sign({ ...claims(seconds), ...extra }, h.keys.privateKey, { algorithm: 'ES256' });

  test('takes the gateway’s token for itself', async () => {
    expect(await ask(sign({ aud: 'cases' }))).toBe(200);
  });

  test('refuses a token for another service', async () => {
    expect(await ask(sign({ aud: 'identity' }))).toBe(401);
  });

  test('refuses a token of another issuer', async () => {
    expect(await ask(sign({ aud: 'cases', iss: 'someone' }))).toBe(401);
  });

  test('refuses an expired token', async () => {
    expect(await ask(sign({ aud: 'cases' }, -1))).toBe(401);
  });

  test('refuses alg none', async () => {
    const token = jsonwebtoken.sign({ ...claims(60), aud: 'cases' }, null, { algorithm: 'none' });
    expect(await ask(token)).toBe(401);
  });

  test('refuses HS256 signed with the public key', async () => {
    const secret = h.keys.publicKey.export({ type: 'spki', format: 'pem' });
    // Put together by hand: the library itself refuses to sign this way.
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ ...claims(60), aud: 'cases' })}`;
    const signature = createHmac('sha256', secret).update(unsigned).digest('base64url');
    expect(await ask(`${unsigned}.${signature}`)).toBe(401);
  });
});
