import { createManualClock } from '@casewatch/testing/manual-clock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refusalOf } from '../src/kafka/kafka-refusal.ts';
import { type OAuthClient, oauthBearer } from '../src/kafka/oauth-bearer.ts';
import { client, startTokenServer } from './token-server.ts';

let server: Awaited<ReturnType<typeof startTokenServer>>;
beforeEach(async () => {
  server = await startTokenServer();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.stop();
});

/** Signs connections in to a broker that says `refusal`, or nothing when it accepts a token. */
function signingIn(options: Partial<OAuthClient> = {}) {
  const clock = createManualClock();
  const { authenticationProvider } = oauthBearer({ tokenUrl: server.tokenUrl, ...client, ...options }, clock);
  const sent: string[] = [];
  async function signIn(refusal = ''): Promise<void> {
    const sized = Buffer.concat([Buffer.alloc(4), Buffer.from(refusal)]);
    const saslAuthenticate: Parameters<typeof authenticationProvider>[0]['saslAuthenticate'] = async ({
      request,
      response,
    }) => {
      const bytes = await request.encode();
      expect(bytes.readInt32BE()).toBe(bytes.length - 4);
      sent.push(bytes.subarray(4).toString());
      return response?.parse(await response.decode(sized));
    };
    const logger = { namespace: () => logger, setLogLevel: vi.fn(), ...logs };
    await authenticationProvider({ host: 'kafka', port: 9092, logger, saslAuthenticate }).authenticate();
  }
  return { clock, signIn, sent };
}
const logs = { error: vi.fn(), warn: vi.fn(), info: vi.fn(), debug: vi.fn() };

test('connections share a token, which is replaced before it expires', async () => {
  const { clock, signIn, sent } = signingIn({ scope: 'kafka:write kafka:read' });
  await Promise.all([signIn(), signIn(), signIn()]);
  await clock.advance(239_000);
  await signIn();
  expect(server.forms).toEqual(['grant_type=client_credentials&scope=kafka%3Awrite+kafka%3Aread']);
  expect(new Set(sent).size).toBe(1);
  expect(sent[0]?.split('\u0001')).toEqual(['n,,', expect.stringMatching(/^auth=Bearer [\w.-]+$/), '', '']);
  await clock.advance(2_000);
  await Promise.all([signIn(), signIn()]);
  expect(server.forms).toHaveLength(2);
  expect(sent.at(-1)).not.toBe(sent[0]);
});

test('a token that the broker refuses ends the exchange, is named in the error and is not used again', async () => {
  const { signIn, sent } = signingIn();
  const error = await signIn('{"status":"invalid_token"}').catch((reason: unknown) => reason);
  expect(String(error)).toContain('Kafka refuses the access token: {"status":"invalid_token"}');
  expect(refusalOf(error)?.advice).toContain('issuer, audience, scope and keys');
  expect(sent[1]).toBe('\u0001');
  await signIn();
  expect(server.forms).toHaveLength(2);
});

test('a client that the provider refuses is named without its secret', async () => {
  const { signIn } = signingIn({ clientSecret: 'hunter2' });
  const error = await signIn().catch((reason: unknown) => reason);
  expect(String(error)).toContain(`the token endpoint ${server.tokenUrl} answers 401 (invalid_client)`);
  expect(refusalOf(error)?.advice).toContain('KAFKA_OAUTH_CLIENT_SECRET');
  expect(String(error)).not.toContain('hunter2');
});

test('a secret is replaced while the provider accepts both: clients with either sign in, and the newer continues alone', async () => {
  const newerSecret = 'let me in as well';
  server.state.secrets = [client.clientSecret, newerSecret];
  const [older, newer] = [signingIn(), signingIn({ clientSecret: newerSecret })];
  await Promise.all([older.signIn(), newer.signIn()]);
  server.state.secrets = [newerSecret];
  // The older one keeps its token until it expires.
  await Promise.all([older.signIn(), newer.signIn()]);
  for (const { clock } of [older, newer]) await clock.advance(241_000);
  await newer.signIn();
  const error = await older.signIn().catch((reason: unknown) => reason);
  expect(String(error)).toContain('answers 401 (invalid_client)');
});

test('an endpoint that is down is no refusal, and is asked again', async () => {
  const { signIn } = signingIn();
  server.state.down = true;
  const error = await signIn().catch((reason: unknown) => reason);
  expect(String(error)).toContain('answers 503 without a token');
  expect(refusalOf(error)).toBeUndefined();
  server.state.down = false;
  await signIn();
});

test('a request to an endpoint that does not answer fails after five seconds', async () => {
  const time = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
  const { signIn } = signingIn();
  const error = signIn().catch((reason: unknown) => reason);
  expect(timeout).toHaveBeenCalledWith(5_000);
  time.abort(new DOMException('it took too long', 'TimeoutError'));
  expect(String(await error)).toContain('does not answer: it took too long');
  expect(refusalOf(await error)).toBeUndefined();
});
