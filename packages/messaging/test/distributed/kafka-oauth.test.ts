import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import type { OwnTestKafka } from '@casewatch/dev-stack/kafka/kafka-server';
import { makeSelfSigned, type SelfSigned } from '@casewatch/testing/self-signed';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { perKey, publishRun, quick, recorder, upTo } from '../bus-scenarios.ts';
import { client, startTokenServer } from '../token-server.ts';
import { createKafkaHarness, type KafkaHarness, type KafkaMember } from './kafka-harness.ts';

/** Brokers that take signed tokens of a provider over TLS, and end a session after twelve seconds. */

const OAUTH = 'org.apache.kafka.common.security.oauthbearer';
const account = { username: 'operator', password: 'let-me-in' };

let provider: Awaited<ReturnType<typeof startTokenServer>>;
let broker: SelfSigned;
let kafka: OwnTestKafka;
let harness: KafkaHarness;
let member: KafkaMember | undefined;
let log: string[];
beforeAll(async () => {
  provider = await startTokenServer();
  broker = await makeSelfSigned();
  kafka = await startOwnTestKafka({
    account,
    tls: broker,
    javaOptions: [`-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${provider.keysUrl}`],
    settings: {
      'sasl.enabled.mechanisms': 'OAUTHBEARER,PLAIN',
      'connections.max.reauth.ms': '12000',
      'listener.name.plaintext.oauthbearer.sasl.jaas.config': `${OAUTH}.OAuthBearerLoginModule required;`,
      'listener.name.plaintext.oauthbearer.sasl.server.callback.handler.class': `${OAUTH}.OAuthBearerValidatorCallbackHandler`,
      'listener.name.plaintext.oauthbearer.sasl.oauthbearer.jwks.endpoint.url': provider.keysUrl,
      'listener.name.plaintext.oauthbearer.sasl.oauthbearer.expected.audience': 'kafka',
    },
  });
}, 180_000);
afterAll(async () => {
  await kafka.stop();
  broker.remove();
  await provider.stop();
});
beforeEach(async () => {
  log = [];
  Object.assign(provider.state, { down: false, expiresInSeconds: 300, livesSeconds: 300, audience: 'kafka' });
  harness = await createKafkaHarness(kafka.brokers, {
    ssl: { ca: broker.cert },
    sasl: { mechanism: 'plain', ...account },
  });
});
afterEach(async () => {
  await member?.stop();
  member = undefined;
  await harness.close();
});

async function startMember(clientSecret = client.clientSecret, refusedPatienceMs = 60_000) {
  const fatal = Promise.withResolvers<Error>();
  const started = await harness.startMember({
    handlers: [recorder('notifications')],
    policy: quick,
    logger: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
    sasl: { mechanism: 'oauthbearer', tokenUrl: provider.tokenUrl, ...client, clientSecret },
    refusedPatienceMs,
    onFatal: fatal.resolve,
  });
  member = started;
  return { ...started, fatal: fatal.promise };
}
const effects = async () => perKey(await harness.database.effects('notifications'));

test('events pass with tokens of the provider, and open connections sign in again before their session ends', async () => {
  // Each sign-in needs a new token, so that they can be counted.
  provider.state.expiresInSeconds = 1e-3;
  const { idle } = await startMember();
  await publishRun(harness, 'a', 3);
  await idle();
  const before = provider.forms.length;
  log = [];
  let sent = 3;
  await vi.waitFor(
    async () => {
      await publishRun(harness, 'a', 1, ++sent);
      expect(provider.forms.length).toBeGreaterThanOrEqual(before + 8);
    },
    { timeout: 30_000, interval: 100 },
  );
  await idle();
  expect(await effects()).toEqual({ a: upTo(sent) });
  expect(log).toEqual([]);
}, 60_000);

test('while the provider is down nothing is lost, and events pass once it is back', async () => {
  provider.state.expiresInSeconds = 1e-3;
  const { bus, idle } = await startMember();
  await publishRun(harness, 'a', 2);
  await idle();
  provider.state.down = true;
  await vi.waitFor(() => expect(log.join()).toContain('answers 503 without a token'), { timeout: 30_000 });
  await publishRun(harness, 'a', 2, 3);
  provider.state.down = false;
  await idle();
  expect(await effects()).toEqual({ a: upTo(4) });
  expect(bus().healthy()).toBe(true);
}, 60_000);

test('a secret that the provider does not know ends the process with a line that says so, without the secret', async () => {
  const { fatal } = await startMember('hunter2', 1_000);
  expect((await fatal).message).toContain('The token endpoint does not accept this client');
  expect(log.join()).toContain('answers 401 (invalid_client)');
  expect(log.join()).not.toContain('hunter2');
});

test.each([
  ['has expired', { livesSeconds: -120 }],
  ['is for another audience', { audience: 'mail' }],
])('a token that %s ends the process with a line that says so', async (_name, wrong) => {
  Object.assign(provider.state, wrong);
  const { fatal } = await startMember(undefined, 1_000);
  expect((await fatal).message).toContain('Kafka does not accept the access token');
  expect(log.join()).toContain('Kafka refuses the access token: {\\"status\\":\\"invalid_token\\"}');
});
