import { createHmac, generateKeyPairSync } from 'node:crypto';
import * as billing from '@casewatch/contracts/billing';
import { listen } from '@casewatch/service-kit/http/http-server';
import { createTokenVerifier } from '@casewatch/service-kit/http/identity-token';
import { type RequestFacts, route } from '@casewatch/service-kit/http/route';
import { createServiceApp } from '@casewatch/service-kit/http/service-app';
import { createServiceRouter } from '@casewatch/service-kit/http/service-router';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Harness, KINDS, startGateway } from './gateway-harness.ts';

const PATH = billing.receiveStripeEvent.path;
const BODY = `{ "a" :  "é", "b": [1,2 ] }\n`;
const signature = (body: string) => createHmac('sha256', 'secret').update(body).digest('hex');

describe.each(KINDS)('a signed body, to a service that is %s', (kind) => {
  const received: (Pick<RequestFacts, 'signature'> & { text: string; body: unknown })[] = [];
  const closers: (() => Promise<void>)[] = [];
  let h: Harness;
  beforeAll(async () => {
    const router = createServiceRouter({
      routes: [
        route(billing.receiveStripeEvent, async ({ body, request: { rawBody, signature } }) => {
          received.push({ text: Buffer.from(rawBody ?? []).toString(), signature, body });
          return { body: { received: true as const } };
        }),
        route(billing.cancelSubscription, async () => {
          throw new Error('unreachable without a session');
        }),
      ],
      verifyToken: createTokenVerifier(
        [generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey],
        'billing',
        systemClock,
      ),
      internalSecrets: undefined,
    });
    const app = createServiceApp({
      routers: [router],
      ready: async () => undefined,
      logger: pino({ level: 'silent' }),
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    closers.push(() => server.drain());
    h = await startGateway({
      kind,
      upstreams: (made) => {
        made.set('billing', kind === 'local' ? { kind, router } : { kind, url: server.url });
      },
    });
  });
  afterAll(async () => {
    await h.stop();
    for (const close of closers) await close();
  });

  const send = (body: string, headers: Record<string, string> = {}) =>
    h.send('POST', PATH, {
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature(body),
        ...headers,
      },
    });

  test('arrives byte by byte, with its signature, from where no browser says it comes from', async () => {
    const answer = await send(BODY);
    expect([answer.status, answer.json()]).toEqual([200, { received: true }]);
    expect(received.at(-1)).toEqual({ text: BODY, signature: signature(BODY), body: undefined });
  });

  test('keeps the limits: its size, its type, and no chunks', async () => {
    const before = received.length;
    expect((await send(`"${'x'.repeat(100_001)}"`)).status).toBe(413);
    expect((await send(BODY, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send(BODY, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect(received.length).toBe(before);
  });

  test('is the only exception: other routes of the service still want to know where a request comes from', async () => {
    const { sid } = h.signIn('pro');
    const answer = await h.send('POST', billing.cancelSubscription.path, {
      sid,
      headers: { 'stripe-signature': 'x' },
    });
    expect([answer.status, answer.json().code]).toEqual([403, 'CSRF']);
  });
});
