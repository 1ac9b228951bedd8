import { readdir } from 'node:fs/promises';
import { EVENT_MIGRATIONS } from '@casewatch/messaging/event-bus';
import type { Pool } from 'pg';

/**
 * Resolves when the database answers and the newest files of `migrations`, and of the events tables that every service has,
 * have been applied to the schema that the pool's search path names. A schema that is ahead is fine: migrations are
 * additive first.
 * @throws the database's error, or one that names the migration that is missing.
 */
export async function checkSchema(pool: Pool, migrations: URL): Promise<void> {
  const [platform, own] = await Promise.all([newestMigration(EVENT_MIGRATIONS), newestMigration(migrations)]);
  const { rows } = await pool.query<{ missing: string }>(
    `SELECT $1::text AS missing WHERE NOT EXISTS (SELECT FROM platform_migrations WHERE name = $1)
     UNION ALL SELECT $2::text WHERE NOT EXISTS (SELECT FROM schema_migrations WHERE name = $2)`,
    [platform, own],
  );
  const [first] = rows;
  if (first) throw new Error(`the database schema is behind: ${first.missing} has not been applied`);
}

/** node-pg-migrate records a file under its name without the extension. */
async function newestMigration(migrations: URL): Promise<string> {
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort();
  const newest = files.at(-1);
  if (!newest) throw new Error(`there is no migration in ${migrations.pathname}`);
  return newest.slice(0, -'.sql'.length);
}
