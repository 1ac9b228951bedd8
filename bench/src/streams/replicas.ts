import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { startAgencyProcess } from '@casewatch/dev-stack/processes/agency-process';
import { type ProductProcess, startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { databaseSettingOf } from '@casewatch/host/database-urls';
import { registry } from '@casewatch/host/registry';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { urlSettingOf } from '@casewatch/service-kit/settings/settings';
import { openRedisState } from '@casewatch/shared-state/redis-state';
import pg from 'pg';

export interface Replica extends ProductProcess {
  readonly url: string;
}

/** What holds the streams: processes with all roles, or of the role `streams` next to a gateway and a process with all services. */
export type Shape = 'all' | 'streams';

const WIDE = '100000000';
/** As the image starts a process: without them each keeps some 20 MB more. */
const AS_DEPLOYED = {
  NODE_OPTIONS: '--max-semi-space-size=4',
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
/** As the chart starts a gateway and its single mode. */
const WITH_GATEWAY = { NODE_OPTIONS: '--max-semi-space-size=16' };
const SERVICES = registry.map(({ name }) => name);

/**
 * Replicas that hold streams, with one PostgreSQL (fsync on) and one Redis, and that many users with a
 * session each. A client's stream ends in the process that it connects to. `others` are the processes that hold none, and
 * `apiUrl` is where all other requests go.
 */
export async function startReplicas(shape: Shape, count: number, users: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
  const stops: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const roleSecret = randomBytes(16).toString('hex');
    const { ownerUrl, stop: stopDatabase } = await startEmbeddedPostgres({
      dataDir: path.join(folder, 'pg'),
      password: roleSecret,
      serverSettings: ['max_connections=400'],
    });
    stops.push(stopDatabase);
    const [redis, agency] = await Promise.all([startTestRedis(), startAgencyProcess()]);
    stops.push(redis.stop, agency.stop);
    await migrate({
      ownerUrl,
      services: registry,
      roleSecret,
      logger: createLogger({ level: 'silent', name: 'bench' }),
    });
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const env = {
      ...AS_DEPLOYED,
      ...agency.env,
      REDIS_URL: redis.url,
      INTERNAL_SECRET: randomBytes(16).toString('hex'),
      TOKEN_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      TOKEN_PUBLIC_KEY: String(publicKey.export({ type: 'spki', format: 'pem' })),
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: WIDE,
      RATE_LIMIT_PER_USER_PER_MINUTE: WIDE,
      ...Object.fromEntries(
        registry.map(({ name }) => [databaseSettingOf(name), serviceUrl(ownerUrl, name, roleSecret)]),
      ),
    };
    const start = async (name: string, own: Record<string, string>): Promise<Replica> => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const { process: replica, ready } = startProductProcess({
        name,
        program: 'host/src/main.ts',
        readyUrl: `${url}/readyz`,
        env: { ...env, ...own, PORT: String(port) },
      });
      stops.push(replica.stop);
      await ready;
      return { ...replica, url };
    };
    const replicas: Replica[] = [];
    const others: Replica[] = [];
    let role: Record<string, string> = { SERVICES: ['gateway', ...SERVICES].join(), ...WITH_GATEWAY };
    if (shape === 'streams') {
      const services = await start('services', { SERVICES: SERVICES.join() });
      const urls = Object.fromEntries(SERVICES.map((name) => [urlSettingOf(name), services.url]));
      others.push(services, await start('gateway', { SERVICES: 'gateway', ...urls, ...WITH_GATEWAY }));
      role = { SERVICES: 'streams', ...urls };
    }
    for (let n = 1; n <= count; n++) replicas.push(await start(`replica ${n}`, role));
    const apiUrl = (others.at(-1) ?? replicas[0])?.url ?? '';
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    stops.push(() => client.end());
    const people = await addUsers(client, users);
    const cookieFile = path.join(folder, 'cookies.json');
    writeFileSync(cookieFile, JSON.stringify(people.map(({ cookie }) => cookie)));
    const state = await openRedisState({
      url: redis.url,
      logger: createLogger({ level: 'silent', name: 'bench' }),
    });
    stops.push(state.stop);
    const { pubSub } = state;
    if (!pubSub) throw new Error('Redis publishes');
    return { replicas, others, apiUrl, people, cookieFile, client, pubSub, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Signed in by a row: 20,000 passwords would take minutes to hash. */
async function addUsers(client: pg.Client, count: number) {
  const people = Array.from({ length: count }, () => {
    const sid = randomBytes(32).toString('base64url');
    return {
      id: randomUUID(),
      cookie: `sid=${sid}`,
      hash: createHash('sha256').update(sid).digest('hex'),
    };
  });
  await client.query(
    `WITH person AS (SELECT * FROM unnest($1::uuid[], $2::text[]) AS given (id, sid_hash)), added AS (
       INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
       SELECT id, id || '@bench.test', id || '@bench.test', '-', 'B', 'S', now(), now(), 'key' FROM person)
     INSERT INTO identity.sessions (sid_hash, user_id, created_at, last_seen_at, expires_at, ends_at, id, device, network)
     SELECT sid_hash, id, now(), now(), now() + interval '1 day', now() + interval '1 day', gen_random_uuid(), 'Bench', '-' FROM person`,
    [people.map(({ id }) => id), people.map(({ hash }) => hash)],
  );
  return people;
}
