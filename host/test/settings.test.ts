import { generateKeyPairSync } from 'node:crypto';
import { SettingsError, urlSettingOf } from '@casewatch/service-kit/settings/settings';
import { makeSelfSigned } from '@casewatch/testing/self-signed';
import { beforeAll, expect, test } from 'vitest';
import { readHostSettings } from '../src/all-settings.ts';
import { explainStartFailure } from '../src/explain.ts';
import { configuredKeys } from '../src/identity-keys.ts';
import { kafkaConnectionOf } from '../src/kafka-settings.ts';
import { registry } from '../src/registry.ts';
import { chooseRoles } from '../src/roles.ts';

// Loads the code of every service, which takes a while the first time.
beforeAll(async () => void (await readHostSettings({})));

test('no setting at all is an all-in-one start', async () => {
  const { settings, roles } = await readHostSettings({});
  expect(settings).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', DATA_DIR: '.casewatch' });
  expect(roles).toMatchObject({ allInOne: true, gateway: true });
});

test('every fault of every part is listed at once, and no secret is shown', async () => {
  const wrong = {
    PORT: '80800',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://user:hunter2@db',
    AGENCY_CALLS_PER_SECOND: 'many',
  };
  const faults = await faultsOf(() => readHostSettings(wrong));
  for (const name of Object.keys(wrong)) expect(faults).toContainEqual(expect.stringContaining(`${name}: `));
  expect(faults.join()).not.toContain('hunter2');
});

test('an empty line in .env means the default', async () => {
  expect((await readHostSettings({ PORT: '' })).settings.PORT).toBe(8080);
});

test('SERVICES picks roles in the order of the registry and names what it does not know', () => {
  expect(chooseRoles('cases, identity', registry).services.map(({ name }) => name)).toEqual([
    'identity',
    'cases',
  ]);
  expect(chooseRoles('gateway', registry)).toMatchObject({ gateway: true, services: [], allInOne: false });
  const streams = chooseRoles('streams', registry);
  expect(streams).toMatchObject({ streams: true, gateway: false, allInOne: false });
  expect(streams.services.map(({ name }) => name)).toEqual(['notifications']);
  expect(() => chooseRoles('streams,gateway', registry)).toThrow('streams runs alone');
  expect(() => chooseRoles('cases,crystal-ball', registry)).toThrow('crystal-ball is no role');
  expect(urlSettingOf('admin-log')).toBe('ADMIN_LOG_URL');
});

test('commas at either end of SERVICES, and two in a row, mean nothing; no role at all is a fault', () => {
  const { services, gateway } = chooseRoles(',cases, ,identity,', registry);
  expect([services.map(({ name }) => name), gateway]).toEqual([['identity', 'cases'], false]);
  expect(chooseRoles('all,', registry).allInOne).toBe(true);
  expect(() => chooseRoles(' , ', registry)).toThrow('SERVICES: nothing is no role');
});

test('roles that run apart need the keys of identity tokens', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
    type: 'spki',
    format: 'pem',
  });
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().replaceAll('\n', '\\n'),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
  const keys = configuredKeys(pem, { gateway: true, services: true });
  expect(keys.privateKey?.type).toBe('private');
  expect(keys.publicKeys?.map(({ type }) => type)).toEqual(['public']);
  const both = { ...pem, publicKey: `${pem.publicKey}${pem.publicKey.replaceAll('\n', '\\n')}` };
  expect(configuredKeys(both, { gateway: false, services: true }).publicKeys).toHaveLength(2);
  const broken = { ...pem, publicKey: pem.publicKey + rsa };
  expect(() => configuredKeys(broken, { gateway: false, services: true })).toThrow('P-256');
  const missing = { privateKey: undefined, publicKey: undefined };
  expect(() => configuredKeys(missing, { gateway: true, services: false })).toThrow('TOKEN_PRIVATE_KEY');
  expect(() =>
    configuredKeys({ privateKey: undefined, publicKey: rsa.toString() }, { gateway: false, services: true }),
  ).toThrow('P-256');
});

test('a service that runs apart from others needs Kafka; all in one process, and a gateway alone, do not', async () => {
  expect(await faultsOf(() => readHostSettings({ SERVICES: 'gateway,cases' }))).toEqual([
    'KAFKA_BROKERS: is needed when cases runs apart from other services',
  ]);
  const everyService = registry.map(({ name }) => name).join();
  const others = ['all', 'gateway', everyService].map((SERVICES) => ({ SERVICES }));
  for (const env of [...others, { SERVICES: 'cases', KAFKA_BROKERS: 'kafka-0:9092,kafka-1:9092' }]) {
    expect(await faultsOf(() => readHostSettings(env))).toEqual([]);
  }
});

test('event streams that run apart need Redis and no Kafka', async () => {
  expect(
    await faultsOf(() => readHostSettings({ SERVICES: 'streams', STREAM_OPENINGS_PER_SECOND: '0' })),
  ).toEqual([
    expect.stringContaining('STREAM_OPENINGS_PER_SECOND: '),
    expect.stringContaining('REDIS_URL: is needed'),
  ]);
  const env = { SERVICES: 'streams', REDIS_URL: 'redis://redis:6379' };
  expect(await faultsOf(() => readHostSettings(env))).toEqual([]);
});

const readKafka = async (env: NodeJS.ProcessEnv) =>
  kafkaConnectionOf((await readHostSettings({ KAFKA_BROKERS: 'kafka:9092', ...env })).settings);

test('what is set for Kafka must go together', async () => {
  const read = readKafka;
  expect(await faultsOf(() => read({ KAFKA_BROKERS: 'kafka' }))).toEqual([
    'KAFKA_BROKERS: must be host:port, or several with commas between',
  ]);
  expect(await faultsOf(() => read({ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' }))).toEqual([
    'KAFKA_SASL_MECHANISM: needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
  ]);
  expect(await faultsOf(() => read({ KAFKA_REPLICATION: '3', KAFKA_MIN_IN_SYNC_REPLICAS: '3' }))).toEqual([
    'KAFKA_MIN_IN_SYNC_REPLICAS: must be below KAFKA_REPLICATION, or one broker that is down stops publishing',
  ]);
  expect(await faultsOf(() => read({ KAFKA_REPLICATION: '3', KAFKA_MIN_IN_SYNC_REPLICAS: '2' }))).toEqual([]);
  expect(
    await read({
      KAFKA_SSL: 'true',
      KAFKA_SSL_CA: 'a\\nb',
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: 'u',
      KAFKA_SASL_PASSWORD: 'p',
    }),
  ).toEqual({
    brokers: ['kafka:9092'],
    ssl: { ca: 'a\nb' },
    sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'p' },
  });
  expect(kafkaConnectionOf((await readHostSettings({})).settings)).toBeUndefined();
});

test('signing in to Kafka with OAuth needs a client, and a token endpoint over TLS', async () => {
  const oauth = {
    KAFKA_SASL_MECHANISM: 'oauthbearer',
    KAFKA_OAUTH_TOKEN_URL: 'https://id.example.com/token',
    KAFKA_OAUTH_CLIENT_ID: 'casewatch',
    KAFKA_OAUTH_CLIENT_SECRET: 'hunter2',
  };
  const client = { tokenUrl: 'https://id.example.com/token', clientId: 'casewatch', clientSecret: 'hunter2' };
  expect((await readKafka(oauth))?.sasl).toEqual({ mechanism: 'oauthbearer', ...client });
  expect((await readKafka({ ...oauth, KAFKA_OAUTH_SCOPE: 'a b' }))?.sasl).toMatchObject({ scope: 'a b' });
  for (const name of Object.keys(oauth).slice(1)) {
    expect(await faultsOf(() => readKafka({ ...oauth, [name]: '' }))).toEqual([
      'KAFKA_SASL_MECHANISM: oauthbearer needs KAFKA_OAUTH_TOKEN_URL, KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET',
    ]);
  }
  const plain = { ...oauth, KAFKA_OAUTH_TOKEN_URL: 'http://id.example.com/token' };
  expect(await faultsOf(() => readKafka(plain))).toEqual(['KAFKA_OAUTH_TOKEN_URL: must be an https URL']);
});

test("Kafka's clients have a certificate with its key, or none", async () => {
  const made = [await makeSelfSigned(), await makeSelfSigned()] as const;
  // Only the texts are wanted.
  for (const { remove } of made) remove();
  const [{ cert, key }, other] = made;
  const mine = { KAFKA_SSL: 'true', KAFKA_SSL_CERT: cert, KAFKA_SSL_KEY: key.replaceAll('\n', '\\n') };
  expect((await readKafka(mine))?.ssl).toEqual({ cert, key });
  expect((await readKafka({ ...mine, KAFKA_SSL_CA: other.cert }))?.ssl).toEqual({
    ca: other.cert,
    cert,
    key,
  });
  for (const left of ['KAFKA_SSL', 'KAFKA_SSL_CERT', 'KAFKA_SSL_KEY']) {
    expect(await faultsOf(() => readKafka({ ...mine, [left]: '' }))).toEqual([
      'KAFKA_SSL_CERT, KAFKA_SSL_KEY: need each other, and KAFKA_SSL=true',
    ]);
  }
  expect(await faultsOf(() => readKafka({ ...mine, KAFKA_SSL_KEY: other.key }))).toEqual([
    'KAFKA_SSL_CERT: must be PEM of the certificate that belongs to KAFKA_SSL_KEY',
  ]);
});

test.each([
  ['EADDRINUSE', 'Port 8080 is taken'],
  ['EACCES', 'may not listen on port 8080'],
  ['ENOSPC', 'The disk is full'],
  ['ECONNREFUSED', "DATABASE_URL can't be used"],
  ['42501', 'may not make schemas and roles'],
])('a start that fails with %s is explained in one line', (code, words) => {
  expect(explainStartFailure(Object.assign(new Error('x'), { code }), 8080)).toContain(words);
});

test('a taken port that is not the product’s own is named with its setting', () => {
  const taken = (port: number) =>
    explainStartFailure(
      Object.assign(new Error('listen'), { code: 'EADDRINUSE', syscall: 'listen', port }),
      8080,
      { AGENCY_SIMULATOR_PORT: '9200', METRICS_PORT: '9100' },
    );
  expect(taken(9100)).toBe(
    'Port 9100 is taken. Stop the program that has it, or choose another with METRICS_PORT.',
  );
  expect(taken(9200)).toContain('Port 9200 is taken');
  expect(taken(9200)).toContain('AGENCY_SIMULATOR_PORT');
  expect(taken(8080)).toContain('PORT=8081 npm start');
});

test.each([
  ['EACCES', 'mkdir', '/var/log/casewatch'],
  ['EPERM', 'chmod', '/srv/casewatch/.casewatch/postgres'],
  ['EROFS', 'open', '/srv/casewatch/.casewatch/lock'],
])('a file that may not be used (%s) is named, and no port is', (code, syscall, file) => {
  const error = Object.assign(new Error(`${code}: ${syscall} '${file}'`), { code, syscall, path: file });
  const said = explainStartFailure(error, 8080);
  expect(said).toContain(file);
  expect(said).toContain('DATA_DIR');
  expect(said).not.toContain('port');
});

test('an unexpected error is shown whole', () => {
  expect(explainStartFailure(new TypeError('x is not a function'), 8080)).toBeUndefined();
});

async function faultsOf(read: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await read();
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
}
