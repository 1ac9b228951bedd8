import { generateKeyPairSync } from 'node:crypto';
import * as notifications from '@casewatch/contracts/notifications';
import { routes } from '@casewatch/contracts/routes';
import { listen } from '@casewatch/service-kit/http/http-server';
import { createTokenVerifier } from '@casewatch/service-kit/http/identity-token';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceApp } from '@casewatch/service-kit/http/service-app';
import { createServiceRouter } from '@casewatch/service-kit/http/service-router';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Harness, KINDS, startGateway } from './gateway-harness.ts';

const PATH = `${notifications.unsubscribe.path}?token=from-an-e-mail`;

test('two routes prove themselves, and no other is exempt from the check of where a request comes from', () => {
  const exempt = routes.filter(({ signedBody, provesItself }) => signedBody || provesItself);
  expect(exempt.map(({ id }) => id)).toEqual(['unsubscribe', 'receiveMailReport', 'receiveStripeEvent']);
});

describe.each(KINDS)('a request of a mail program, to a service that is %s', (kind) => {
  const tokens: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  let h: Harness;
  beforeAll(async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const router = createServiceRouter({
      routes: [
        route(notifications.unsubscribe, async ({ query }) => {
          tokens.push(query.token);
          return { body: { ok: true as const } };
        }),
        route(notifications.openUnsubscribePage, async ({ query }) => ({
          body: undefined,
          headers: { Location: `/unsubscribe#${query.token}` },
        })),
      ],
      verifyToken: createTokenVerifier([publicKey], 'notifications', systemClock),
      internalSecrets: undefined,
    });
    const logger = pino({ level: 'silent' });
    const app = createServiceApp({ routers: [router], ready: async () => undefined, logger });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    closers.push(() => server.drain());
    h = await startGateway({
      kind,
      upstreams: (made) => {
        made.set('notifications', kind === 'local' ? { kind, router } : { kind, url: server.url });
      },
    });
  });
  afterAll(async () => {
    await h.stop();
    for (const close of closers) await close();
  });

  test('stops e-mails from anywhere, without a session', async () => {
    const answer = await h.send('POST', PATH, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.status, answer.json(), tokens]).toEqual([200, { ok: true }, ['from-an-e-mail']]);
  });

  test('that only looks at the link is led to the page that asks', async () => {
    const before = tokens.length;
    const answer = await h.send('GET', PATH);
    expect([answer.status, answer.headers.location]).toEqual([303, '/unsubscribe#from-an-e-mail']);
    expect(tokens).toHaveLength(before);
  });

  test('can not change preferences', async () => {
    const { sid } = h.signIn();
    const answer = await h.send('PUT', notifications.changeNotificationPreferences.path, {
      sid,
      body: '{"email":false}',
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.json().code]).toEqual([403, 'CSRF']);
  });
});
