import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { SettingsError, urlSettingOf } from '@casewatch/service-kit/settings/settings';
import { makeSelfSigned } from '@casewatch/testing/self-signed';
import { beforeAll, expect, test } from 'vitest';
import { readHostSettings } from '../src/all-settings.ts';
import { DataFolderError } from '../src/data-folder.ts';
import { explainStartFailure } from '../src/explain.ts';
import { configuredKeys, withOwnKey } from '../src/identity-keys.ts';
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

test('every problem of every part is listed at once, and no secret is shown', async () => {
  const wrong = {
    PORT: '80800',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://user:hunter2@db',
    AGENCY_CALLS_PER_SECOND: 'many',
    OTEL_TRACES_SAMPLER_ARG: '1.1',
    REDIS_URL: 'http://redis:6379',
    REDIS_PREFIX: 'casewatch {2}:',
    CASES_URL: 'ftp://cases:8080',
    INTERNAL_SECRET: 'long enough a secret,short',
    KAFKA_TOPIC_PREFIX: 'case watch',
    KAFKA_BROKERS: 'kafka:9092,kafka',
  };
  const problems = await problemsOf(() => readHostSettings(wrong));
  for (const name of Object.keys(wrong))
    expect(problems).toContainEqual(expect.stringMatching(`^${name}(?:\\.1)?: `));
  expect(problems.join()).not.toContain('hunter2');
});

test('several secrets between processes are separated by commas, with spaces or without', async () => {
  const { settings } = await readHostSettings({ INTERNAL_SECRET: 'the first of them, the second of them' });
  expect(settings.INTERNAL_SECRET).toEqual(['the first of them', 'the second of them']);
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
  expect(() => chooseRoles('all,cases', registry)).toThrow('all is no role');
  expect(urlSettingOf('admin-log')).toBe('ADMIN_LOG_URL');
});

test('commas at either end of SERVICES, and two in a row, mean nothing; no role at all is refused', () => {
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

test('a part that signs by a key of its own verifies that key, and those of gateways', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { privateKey, publicKeys = [] } = withOwnKey({ privateKey: undefined, publicKeys: [publicKey] });
  expect(publicKeys).toHaveLength(2);
  expect(publicKeys[1]).toBe(publicKey);
  const signature = sign('sha256', Buffer.from('x'), privateKey ?? '');
  expect(verify('sha256', Buffer.from('x'), publicKeys[0] ?? '', signature)).toBe(true);
});

test('a service that runs apart from others needs Kafka; all in one process, and a gateway alone, do not', async () => {
  expect(await problemsOf(() => readHostSettings({ SERVICES: 'gateway,cases' }))).toEqual([
    'KAFKA_BROKERS: is needed when cases runs apart from other services',
  ]);
  const everyService = registry.map(({ name }) => name).join();
  const others = ['all', 'gateway', everyService].map((SERVICES) => ({ SERVICES }));
  for (const env of [...others, { SERVICES: 'cases', KAFKA_BROKERS: 'kafka-0:9092,kafka-1:9092' }]) {
    expect(await problemsOf(() => readHostSettings(env))).toEqual([]);
  }
});

test('event streams that run apart need Redis and no Kafka', async () => {
  expect(
    await problemsOf(() => readHostSettings({ SERVICES: 'streams', STREAM_OPENINGS_PER_SECOND: '0' })),
  ).toEqual([
    expect.stringContaining('STREAM_OPENINGS_PER_SECOND: '),
    expect.stringContaining('REDIS_URL: is needed'),
  ]);
  const env = { SERVICES: 'streams', REDIS_URL: 'redis://redis:6379' };
  expect(await problemsOf(() => readHostSettings(env))).toEqual([]);
});

const readKafka = async (env: NodeJS.ProcessEnv) =>
  kafkaConnectionOf((await readHostSettings({ KAFKA_BROKERS: 'kafka:9092', ...env })).settings);

test('what is set for Kafka must go together', async () => {
  const read = readKafka;
  expect(await problemsOf(() => read({ KAFKA_BROKERS: 'kafka' }))).toEqual([
    'KAFKA_BROKERS: must be host:port, or several with commas between',
  ]);
  for (const half of [{ KAFKA_SASL_USERNAME: 'u' }, { KAFKA_SASL_PASSWORD: 'p' }]) {
    expect(await problemsOf(() => read({ KAFKA_SASL_MECHANISM: 'plain', ...half }))).toEqual([
      'KAFKA_SASL_MECHANISM: needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
    ]);
  }
  expect(await problemsOf(() => read({ KAFKA_REPLICATION: '3', KAFKA_MIN_IN_SYNC_REPLICAS: '3' }))).toEqual([
    'KAFKA_MIN_IN_SYNC_REPLICAS: must be below KAFKA_REPLICATION, or one broker that is down stops publishing',
  ]);
  for (const [copies, needed] of [
    ['3', '2'],
    ['1', '1'],
    ['-1', '3'],
  ]) {
    const env = { KAFKA_REPLICATION: copies, KAFKA_MIN_IN_SYNC_REPLICAS: needed };
    expect(await problemsOf(() => read(env))).toEqual([]);
  }
  expect(await read({})).toEqual({ brokers: ['kafka:9092'], ssl: false });
  expect(await read({ KAFKA_SSL: 'true' })).toEqual({ brokers: ['kafka:9092'], ssl: true });
  expect(await read({ KAFKA_BROKERS: 'a:1,b:2' })).toMatchObject({ brokers: ['a:1', 'b:2'] });
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
    expect(await problemsOf(() => readKafka({ ...oauth, [name]: '' }))).toEqual([
      'KAFKA_SASL_MECHANISM: oauthbearer needs KAFKA_OAUTH_TOKEN_URL, KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET',
    ]);
  }
  const plain = { ...oauth, KAFKA_OAUTH_TOKEN_URL: 'http://id.example.com/token' };
  expect(await problemsOf(() => readKafka(plain))).toEqual(['KAFKA_OAUTH_TOKEN_URL: must be an https URL']);
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const local = { ...oauth, KAFKA_OAUTH_TOKEN_URL: `http://${host}:8443/token` };
    expect(await problemsOf(() => readKafka(local))).toEqual([]);
  }
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
    expect(await problemsOf(() => readKafka({ ...mine, [left]: '' }))).toEqual([
      'KAFKA_SSL_CERT, KAFKA_SSL_KEY: need each other, and KAFKA_SSL=true',
    ]);
  }
  expect(await problemsOf(() => readKafka({ ...mine, KAFKA_SSL_KEY: other.key }))).toEqual([
    'KAFKA_SSL_CERT: must be PEM of the certificate that belongs to KAFKA_SSL_KEY',
  ]);
});

test.each([
  ['EADDRINUSE', 'Port 8080 is taken'],
  ['EACCES', 'may not listen on port 8080'],
  ['ENOSPC', 'The disk is full'],
  ['ECONNREFUSED', "DATABASE_URL can't be used"],
  ['ENOTFOUND', "DATABASE_URL can't be used: x"],
  ['28P01', "DATABASE_URL can't be used: x"],
  ['3D000', "DATABASE_URL can't be used: x"],
  ['EADDRNOTAVAIL', 'HOST is no address of this machine'],
  ['42501', 'may not make schemas and roles'],
])('a start that fails with %s is explained in one line', (code, words) => {
  const error = Object.assign(new Error('x'), { code });
  expect(explainStartFailure(error, 8080)).toContain(words);
  // As of several addresses, none of which answered.
  expect(explainStartFailure(new AggregateError([error]), 8080)).toContain(words.split(':')[0]);
});

test('a full disk is named as such, whatever failed on it', () => {
  const full = 'The disk is full. Free some space, or set DATA_DIR to a folder on another disk.';
  const cause = Object.assign(new Error('write'), { code: 'ENOSPC' });
  expect(explainStartFailure(new DataFolderError("Can't write", { cause }), 8080)).toBe(full);
  expect(explainStartFailure(new DataFolderError("Can't write"), 8080)).toBe("Can't write");
  expect(explainStartFailure(new Error('initdb: No space left on device'), 8080)).toBe(full);
});

test('a taken port that is not the product’s own is named with its setting', () => {
  const taken = (port: number) =>
    explainStartFailure(
      Object.assign(new Error('listen'), { code: 'EADDRINUSE', syscall: 'listen', port }),
      8080,
      { AGENCY_SIMULATOR_PORT: '9200', METRICS_PORT: '9100', MAILBOX_PORT: '8080' },
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
  const output = explainStartFailure(error, 8080);
  expect(output).toContain(file);
  expect(output).toContain('DATA_DIR');
  expect(output).not.toContain('port');
});

test('an unexpected error is shown whole', () => {
  expect(explainStartFailure(new TypeError('x is not a function'), 8080)).toBeUndefined();
});

async function problemsOf(read: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await read();
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}
