import { randomBytes } from 'node:crypto';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { migrate } from '@casewatch/service-definition/migrate';
import { schemaOf, serviceUrl } from '@casewatch/service-kit/database/service-url';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { databaseUrl, TEST_ROLE_SECRET } from '@casewatch/testing/test-cluster';
import { testServerUrl } from '@casewatch/testing/test-database';
import pg from 'pg';
import { pino } from 'pino';

/** Who publishes and who consumes in the tests of the bus; their schemas hold nothing but events and effects. */
export const SOURCES = ['billing', 'surveys'] as const satisfies readonly ServiceName[];
export const GROUPS = ['notifications', 'admin-log'] as const satisfies readonly ServiceName[];
/** Whose outboxes the bus relays: a consumer may publish too. */
export const RELAYED = [...SOURCES, GROUPS[0]] as const;

export interface Effect {
  event_id: string;
  key: string;
  n: number;
}

export type EventsDatabase = Awaited<ReturnType<typeof createEventsDatabase>>;

/** A database of its own with the events tables and `effects` in a schema per source and group. */
export async function createEventsDatabase() {
  const server = await testServerUrl();
  const name = `test_events_${randomBytes(8).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  const ownerUrl = databaseUrl(server, name);
  // Roles belong to the whole server: two files must not change them at the same time.
  await admin.query('SELECT pg_advisory_lock(4711)');
  await migrate({
    ownerUrl,
    services: [...SOURCES, ...GROUPS].map((service) => ({
      name: service,
      migrations: new URL('./migrations/', import.meta.url),
    })),
    roleSecret: TEST_ROLE_SECRET,
    logger: pino({ level: 'silent' }),
  });
  await admin.query('SELECT pg_advisory_unlock(4711)');

  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  owner.on('error', () => undefined);
  const urlFor = (service: ServiceName) => serviceUrl(ownerUrl, service, TEST_ROLE_SECRET);
  const pools = new Map<ServiceName, pg.Pool>(
    [...SOURCES, ...GROUPS].map((service) => {
      const pool = new pg.Pool({
        connectionString: urlFor(service),
        options: `-c search_path=${schemaOf(service)}`,
        max: 12,
      });
      pool.on('error', () => undefined);
      return [service, pool] as const;
    }),
  );
  const poolOf = (service: ServiceName): pg.Pool => {
    const pool = pools.get(service);
    if (!pool) throw new Error(`no schema ${service}`);
    return pool;
  };
  return {
    urlFor,
    poolOf,
    /** One transaction of a service, as its role. */
    transaction: <T>(service: ServiceName, work: (tx: SqlExecutor) => Promise<T>) =>
      inTransaction(poolOf(service), work),
    effects: async (group: ServiceName): Promise<Effect[]> =>
      (await poolOf(group).query('SELECT event_id, key, n FROM effects ORDER BY seq')).rows,
    /** As the owner of all schemas. */
    query: async (sql: string, parameters: unknown[] = []) => (await owner.query(sql, parameters)).rows,
    drop: async () => {
      await Promise.all([owner.end(), ...[...pools.values()].map((pool) => pool.end())]);
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}
