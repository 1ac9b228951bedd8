import { createECDH, randomBytes } from 'node:crypto';
import { startConnectProxy } from '@casewatch/testing/connect-proxy';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { makePushKeys } from '@casewatch/testing/push-service';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openWebPushTransport } from '../src/web-push/web-push-transport.ts';

const SENT = { kind: 'sent' };
let proxy: Awaited<ReturnType<typeof startConnectProxy>>;
beforeEach(async () => {
  proxy = await startConnectProxy();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await proxy.stop();
});

test.each([
  ['through HTTPS_PROXY', '.svc,.cluster.local', SENT],
  [
    'past it where NO_PROXY names the host, which may then not be private',
    'localhost',
    { reason: 'EPRIVATE' },
  ],
])('push messages go %s', async (_how, noProxy, outcome) => {
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  vi.stubEnv('NO_PROXY', noProxy);
  const { PUSH_VAPID_PUBLIC_KEY: publicKey, PUSH_VAPID_PRIVATE_KEY: privateKey } = makePushKeys();
  const transport = await openWebPushTransport({
    keys: { publicKey, privateKey, subject: 'mailto:ops@example.com' },
    isAllowed: () => true,
    clock: createManualClock(Date.now()),
    connections: 1,
  });
  const browser = createECDH('prime256v1');
  const target = {
    id: 'a',
    language: 'en' as const,
    userId: 'a',
    sessionId: 'a',
    endpoint: `${proxy.origin}/a`,
    p256dh: browser.generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  const message = { target, payload: '{}', ttlSeconds: 60, urgency: 'normal', topic: 'a' } as const;
  expect(await transport.send(message, new AbortController().signal)).toMatchObject(outcome);
  expect(proxy.asked).toEqual(outcome === SENT ? [proxy.host] : []);
  await transport.close();
});
