import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { EVENT_MIGRATIONS } from '@casewatch/messaging/event-bus';
import { derivePassword, roleOf, schemaOf } from '@casewatch/service-kit/database/service-url';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type MigrationBuilder, runner } from 'node-pg-migrate';
import pg from 'pg';
import { ensureRole } from './ensure-role.ts';

/** One lock for all migrations of the product: the second process waits and then finds nothing to do. */
const LOCK_KEY = 4_201_967;
const LOCK_EVERY_MS = 100;
/** A statement that waits for a table has all later ones wait behind it: it times out, and lets them pass before the next try. */
const LOCK_TIMEOUT_MS = 5_000;
const TRIES = 10;
const RETRY_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

export interface MigrationSource {
  readonly name: ServiceName;
  readonly migrations: URL;
}

export interface Login {
  user: string;
  password: string;
}

export interface MigrateOptions {
  /** URL of the schemas' owner, which may create schemas and roles. */
  ownerUrl: string;
  services: readonly MigrationSource[];
  /** Of the events tables that every service has. */
  eventMigrations?: URL;
  /** When given, each service's login role gets a password derived from it. */
  roleSecret?: string;
  /** The other way: how each service signs in, by its role or its alternate; undefined leaves both as they are. */
  loginOf?: (service: ServiceName) => Login | undefined;
  /** How long a migration may wait for a lock before it is rolled back and tried again. */
  lockTimeoutMs?: number;
  logger: Logger;
}

/**
 * Brings every service's schema to its newest version: schema, least-privilege role, SQL files in order.
 * Safe to run from several processes at once; each file runs once, in its own transaction, and again when a lock kept it waiting.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { ownerUrl, services, roleSecret, logger } = options;
  const { eventMigrations = EVENT_MIGRATIONS, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  const derived = (name: ServiceName): Login | undefined =>
    roleSecret ? { user: roleOf(name), password: derivePassword(name, roleSecret) } : undefined;
  const loginOf = options.loginOf ?? derived;
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'casewatch-migrate' });
  // A connection that is lost between two statements fails the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await lock(client);
    for (const service of services) {
      await prepareSchema(client, service.name, loginOf(service.name));
      for (const { dir, table } of [
        { dir: eventMigrations, table: 'platform_migrations' },
        { dir: service.migrations, table: 'schema_migrations' },
      ]) {
        const apply = () =>
          runner({
            dbClient: client,
            dir: fileURLToPath(dir),
            direction: 'up',
            schema: schemaOf(service.name),
            migrationsTable: table,
            singleTransaction: false,
            noLock: true,
            checkOrder: true,
            migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loaderOf(lockTimeoutMs) }],
            log: () => undefined,
          });
        const applied = await retryLocked(client, apply, logger.child({ service: service.name }));
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

/** Runs `apply` again while a lock is not to be had; what was applied before stays so. */
async function retryLocked<T>(client: pg.Client, apply: () => Promise<T>, logger: Logger): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await apply();
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      const locked = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
      if (!locked || tried === TRIES) throw error;
      logger.warn({ err: error, tried }, 'migrations: a table is in use, will retry');
      await delay(RETRY_MS);
    }
  }
}

const BY_ITSELF = /^-- Without transaction$/m;

/**
 * Reads SQL files with an up and a down part. One that says `-- Without transaction` runs statement by statement, as
 * `CREATE INDEX CONCURRENTLY` needs it; it must be repeatable, and have each statement end at the end of a line. It waits for
 * transactions as long as they take, but where it says otherwise; no statement waits behind it.
 */
const loaderOf = (lockTimeoutMs: number) => (paths: string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const [up = '', down] = (await readFile(path, 'utf8')).split(/^-- Down Migration$/m);
      const apply = (sql: string) => (pgm: MigrationBuilder) => {
        if (!BY_ITSELF.test(up)) return void pgm.sql(`SET LOCAL lock_timeout = ${lockTimeoutMs};\n${sql}`);
        pgm.noTransaction();
        pgm.sql('SET lock_timeout = 0');
        for (const statement of sql.split(/;$/m)) if (statement.trim()) pgm.sql(statement);
      };
      return {
        id: path,
        filePaths: [path],
        actions: { up: apply(up), down: down === undefined ? (false as const) : apply(down) },
      };
    }),
  );

async function prepareSchema(
  client: pg.Client,
  service: ServiceName,
  login: Login | undefined,
): Promise<void> {
  const schema = client.escapeIdentifier(schemaOf(service));
  const role = client.escapeIdentifier(roleOf(service));
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await ensureRole(client, { name: roleOf(service) });
  if (login)
    await ensureRole(client, { name: login.user, password: login.password, actsAs: roleOf(service) });
  await client.query(`
    GRANT USAGE ON SCHEMA ${schema} TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${role};
    REVOKE ALL ON SCHEMA public FROM PUBLIC;
  `);
}
