import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { DEFAULT_ROLE_SECRET } from '@casewatch/dev-stack/processes/product-processes';
import { type MigrationSource, migrate } from '@casewatch/service-definition/migrate';
import pg from 'pg';
import { pino } from 'pino';

/** The secret that the service roles of the test cluster get their passwords from. */
export const TEST_ROLE_SECRET = DEFAULT_ROLE_SECRET;
export const TEMPLATE_DATABASE = 'casewatch_template';

/**
 * Starts a real PostgreSQL for one test run: the server at `TEST_DATABASE_URL` (whose user may create databases and
 * roles), else one started from npm's binaries, without fsync because its data is thrown away. Holds a template
 * database with every schema migrated.
 */
export async function startTestCluster(services: readonly MigrationSource[]) {
  const given = process.env.TEST_DATABASE_URL;
  const cluster = given ? { ownerUrl: given, stop: async () => undefined } : await startThrowawayCluster();
  try {
    await recreateTemplate(cluster.ownerUrl, services);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}

async function startThrowawayCluster() {
  const folder = makeMemoryFolder('test-pg');
  const cluster = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'data'),
    password: randomBytes(16).toString('base64url'),
    serverSettings: [
      ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400'],
      ...['wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=64MB', 'min_wal_size=32MB'],
    ],
  });
  return {
    ownerUrl: cluster.ownerUrl,
    stop: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function recreateTemplate(ownerUrl: string, services: readonly MigrationSource[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  } finally {
    await client.end();
  }
  await migrate({
    ownerUrl: databaseUrl(ownerUrl, TEMPLATE_DATABASE),
    services,
    roleSecret: TEST_ROLE_SECRET,
    logger: pino({ level: 'silent' }),
  });
}

/** Returns the same server and user, another database. */
export function databaseUrl(ownerUrl: string, database: string): string {
  const url = new URL(ownerUrl);
  url.pathname = `/${database}`;
  return url.href;
}
