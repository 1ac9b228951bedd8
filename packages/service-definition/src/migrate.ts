import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { EVENT_MIGRATIONS } from '@casewatch/messaging/event-migrations';
import { derivePassword, roleOf, schemaOf } from '@casewatch/service-kit/database/service-url';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type MigrationBuilder, runner } from 'node-pg-migrate';
import pg from 'pg';
import { ensureRole } from './ensure-role.ts';

/** One lock for all migrations of the product: the second process waits and then finds nothing to do. */
const LOCK_KEY = 4_201_967;
const LOCK_EVERY_MS = 100;

export interface MigrationSource {
  readonly name: ServiceName;
  readonly migrations: URL;
}

export interface MigrateOptions {
  /** URL of the schemas' owner, which may create schemas and roles. */
  ownerUrl: string;
  services: readonly MigrationSource[];
  /** When given, each service's login role gets a password derived from it. */
  roleSecret?: string;
  /** The other way: the password of each service's login role; undefined leaves the role as it is. */
  rolePasswordOf?: (service: ServiceName) => string | undefined;
  logger: Logger;
}

/**
 * Brings every service's schema to its newest version: schema, least-privilege role, SQL files in order.
 * Safe to run from several processes at once; each file runs once, in its own transaction.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { ownerUrl, services, roleSecret, logger } = options;
  const derived = (name: ServiceName) => roleSecret && derivePassword(name, roleSecret);
  const passwordOf = options.rolePasswordOf ?? derived;
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'casewatch-migrate' });
  await client.connect();
  try {
    await lock(client);
    for (const service of services) {
      await prepareSchema(client, service.name, passwordOf(service.name));
      for (const { dir, table } of [
        { dir: EVENT_MIGRATIONS, table: 'platform_migrations' },
        { dir: service.migrations, table: 'schema_migrations' },
      ]) {
        const applied = await runner({
          dbClient: client,
          dir: fileURLToPath(dir),
          direction: 'up',
          schema: schemaOf(service.name),
          migrationsTable: table,
          singleTransaction: false,
          noLock: true,
          checkOrder: true,
          migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadMigrations }],
          log: () => undefined,
        });
        for (const { name } of applied)
          logger.info({ service: service.name, migration: name }, 'migrations: applied');
      }
    }
  } finally {
    await client.end();
  }
}

/** Does not wait within a statement: an index that is built concurrently waits for all statements, so both would wait forever. */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS locked', [LOCK_KEY]);
    if (rows[0]?.locked) return;
    await delay(LOCK_EVERY_MS);
  }
}

const BY_ITSELF = /^-- Without transaction$/m;

/**
 * Reads SQL files with an up and a down part. One that says `-- Without transaction` runs statement by statement, as
 * `CREATE INDEX CONCURRENTLY` needs it; it must be repeatable, and have each statement end at the end of a line.
 */
async function loadMigrations(paths: string[]) {
  return Promise.all(
    paths.map(async (path) => {
      const [up = '', down] = (await readFile(path, 'utf8')).split(/^-- Down Migration$/m);
      const apply = (sql: string) => (pgm: MigrationBuilder) => {
        if (!BY_ITSELF.test(up)) return void pgm.sql(sql);
        pgm.noTransaction();
        for (const statement of sql.split(/;$/m)) if (statement.trim()) pgm.sql(statement);
      };
      return {
        id: path,
        filePaths: [path],
        actions: { up: apply(up), down: down === undefined ? (false as const) : apply(down) },
      };
    }),
  );
}

async function prepareSchema(
  client: pg.Client,
  service: ServiceName,
  rolePassword: string | undefined,
): Promise<void> {
  const schema = client.escapeIdentifier(schemaOf(service));
  const role = client.escapeIdentifier(roleOf(service));
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await ensureRole(client, roleOf(service), rolePassword);
  await client.query(`
    GRANT USAGE ON SCHEMA ${schema} TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${role};
    REVOKE ALL ON SCHEMA public FROM PUBLIC;
  `);
}
