import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { type ProxyMode, startTcpProxy, type TcpProxy } from '@casewatch/testing/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Dependencies, measureDependencies } from '../src/dependencies.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let telemetry: Awaited<ReturnType<typeof startScraped>>;
beforeAll(async () => {
  database = await createTestDatabase();
  const { hostname: host, port } = new URL(database.ownerUrl);
  proxy = await startTcpProxy({ host, port: Number(port) });
});
beforeEach(async () => {
  telemetry = await startScraped();
});
afterEach(() => telemetry.stop());
afterAll(async () => {
  await proxy.stop();
  await database.drop();
});

const NONE: Dependencies = {
  databaseUrl: undefined,
  redis: undefined,
  kafka: undefined,
  agencyUrl: undefined,
};
const up = async () =>
  Object.fromEntries(
    Object.entries(await telemetry.scrape()).flatMap(([series, value]) => {
      const [, name] = /^casewatch_dependency_up\{dependency="(\w+)"\}/.exec(series) ?? [];
      return name ? [[name, value]] : [];
    }),
  );

test.each<ProxyMode>(['refuse', 'hang', 'reset', { latencyMs: 2_000 }])(
  'PostgreSQL that fails (%o) is down at the next scrape, and up at the first after it',
  async (mode) => {
    const url = new URL(database.ownerUrl);
    url.port = String(proxy.port);
    measureDependencies(telemetry.meter, { ...NONE, databaseUrl: url.href });
    expect(await up()).toEqual({ postgresql: 1 });
    await proxy.set(mode);
    expect(await up()).toEqual({ postgresql: 0 });
    await proxy.set('pass');
    expect(await up()).toEqual({ postgresql: 1 });
  },
);

test('each dependency is judged by itself, and one that hangs is down', async () => {
  const ping = { works: async () => 'PONG', hangs: () => new Promise(() => undefined) };
  measureDependencies(telemetry.meter, {
    ...NONE,
    redis: { url: 'redis://127.0.0.1:6379', ping: ping.hangs },
    kafka: { brokers: ['127.0.0.1:9092'], ping: ping.works },
  });
  expect(await up()).toEqual({ redis: 0, kafka: 1 });
});

test.each([
  { agencyUrl: 'https://api.agency.test/v1' },
  { databaseUrl: 'postgres://user:password@db.test:5432/casewatch' },
  { redis: { url: 'redis://10.0.0.1:6379,redis.test:6379', ping: async () => undefined } },
  { kafka: { brokers: ['[::1]:9092', 'kafka.test:9092'], ping: async () => undefined } },
])('DNS is down while a name of %o is not resolved', async (dependencies) => {
  let isDown = false;
  const asked: string[] = [];
  measureDependencies(telemetry.meter, { ...NONE, ...dependencies }, async (host) => {
    asked.push(host);
    if (isDown) throw new Error('EAI_AGAIN');
  });
  expect(await up()).toMatchObject({ dns: 1 });
  isDown = true;
  expect(await up()).toMatchObject({ dns: 0 });
  expect(new Set(asked).size).toBe(1);
  expect(asked[0]).toMatch(/\.test$/);
});

test('DNS is not judged where every address is a number, or of this machine', async () => {
  measureDependencies(telemetry.meter, {
    ...NONE,
    agencyUrl: 'http://localhost:1',
    databaseUrl: 'postgres://127.0.0.1:1/x',
    redis: { url: 'redis://%2Frun%2Fredis:6379', ping: async () => undefined },
  });
  expect(await up()).toEqual({ postgresql: 0, redis: 1 });
});
