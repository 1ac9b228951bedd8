import { randomBytes } from 'node:crypto';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { schemaOf, serviceUrl } from '@casewatch/service-kit/database/service-url';
import pg from 'pg';
import { inject } from 'vitest';
import { askForServer } from './shared-server.ts';
import { databaseUrl, TEMPLATE_DATABASE, TEST_ROLE_SECRET } from './test-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the run's PostgreSQL. */
    sharedDatabase: string;
  }
}

export interface TestDatabase {
  readonly name: string;
  /** Returns the URL of the owner, which sees every schema. */
  readonly ownerUrl: string;
  /** URL of a service's own least-privilege role, through the pooler of the run, if any. */
  urlFor(service: ServiceName): string;
  /** The same without the pooler. */
  directUrlFor(service: ServiceName): string;
  /** Runs SQL as the owner. */
  query<Row extends pg.QueryResultRow>(sql: string, parameters?: unknown[]): Promise<Row[]>;
  /** Opens a pool of a service's role in its schema; `drop` ends it. */
  openPool(service: ServiceName, max: number): pg.Pool;
  drop(): Promise<void>;
}

/** Creates a database of its own for one test file: every schema migrated, no rows. Takes some tens of milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await testServerUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} STRATEGY file_copy`);
  const ownerUrl = databaseUrl(server, name);
  const pools: pg.Pool[] = [];
  const open = (config: pg.PoolConfig) => {
    const opened = new pg.Pool(config);
    // `end` resolves before the last connection is closed, so that `drop` may terminate it: a listener has to be there.
    opened.on('error', () => undefined);
    pools.push(opened);
    return opened;
  };
  const pool = open({ connectionString: ownerUrl, max: 4 });
  const directUrlFor = (service: ServiceName) => serviceUrl(ownerUrl, service, TEST_ROLE_SECRET);
  const urlFor = (service: ServiceName) =>
    throughPooler(directUrlFor(service), process.env.TEST_DATABASE_POOLER);
  return {
    name,
    ownerUrl,
    urlFor,
    directUrlFor,
    openPool: (service, max) =>
      open({ connectionString: urlFor(service), options: `-c search_path=${schemaOf(service)}`, max }),
    query: async <Row extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []) =>
      (await pool.query<Row>(sql, parameters)).rows,
    drop: async () => {
      await Promise.all(pools.map((opened) => opened.end()));
      await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Leads the services' roles, and not the owner, through a pooler at `host:port`. */
function throughPooler(url: string, pooler: string | undefined): string {
  if (!pooler) return url;
  const pooled = new URL(url);
  pooled.host = pooler;
  return pooled.href;
}

/** URL of the owner of the run's server, whose maintenance database it names. */
export function testServerUrl(): Promise<string> {
  return askForServer(inject('sharedDatabase'));
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
