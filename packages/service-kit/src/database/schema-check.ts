import { readdir } from 'node:fs/promises';
import type { Pool } from 'pg';

/**
 * Resolves when the database answers and the newest file of `migrations` has been applied to the schema that
 * the pool's search path names. A schema that is ahead is fine: migrations are additive first.
 * @throws the database's error, or one that names the migration that is missing.
 */
export async function checkSchema(pool: Pool, migrations: URL): Promise<void> {
  const newest = await newestMigration(migrations);
  const { rowCount } = await pool.query('SELECT 1 FROM schema_migrations WHERE name = $1', [newest]);
  if (rowCount === 0) throw new Error(`the database schema is behind: ${newest} has not been applied`);
}

/** node-pg-migrate records a file under its name without the extension. */
async function newestMigration(migrations: URL): Promise<string> {
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort();
  const newest = files.at(-1);
  if (!newest) throw new Error(`there is no migration in ${migrations.pathname}`);
  return newest.slice(0, -'.sql'.length);
}
