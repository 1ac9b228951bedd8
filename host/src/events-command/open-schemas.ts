import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { urlOfRunningPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import { poolExecutor, type SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import pg from 'pg';
import { z } from 'zod';
import { databaseSettingOf } from '../database-urls.ts';

export interface Schema {
  readonly service: ServiceName;
  readonly sql: SqlExecutor;
}

const secretsSchema = z.object({ databasePassword: z.string() });

/** Opens the schema of every service that the database holds. @throws when there is no database, saying how to name one. */
export async function openSchemas(
  env: NodeJS.ProcessEnv,
  services: readonly { name: ServiceName }[],
): Promise<{ schemas: Schema[]; close(): Promise<void> }> {
  const pools: pg.Pool[] = [];
  const schemas: Schema[] = [];
  const close = async () => {
    await Promise.all(pools.map((pool) => pool.end()));
  };
  try {
    for (const { name } of services) {
      const pool = new pg.Pool({
        connectionString: databaseUrlOf(env, name),
        max: 1,
        options: `-c search_path=${schemaOf(name)}`,
      });
      pool.on('error', () => undefined);
      pools.push(pool);
      // Null: not made yet.
      const { rows } = await pool.query("SELECT to_regclass('dead_letters') IS NOT NULL AS made");
      if (rows[0]?.made) schemas.push({ service: name, sql: poolExecutor(pool) });
    }
    return { schemas, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Returns DATABASE_URL, or the service's own where one process runs all services, or that of the running product.
 * @throws when there is none, saying how to name one
 */
export function databaseUrlOf(env: NodeJS.ProcessEnv, service: ServiceName): string {
  const given = env.DATABASE_URL || env[databaseSettingOf(service)];
  return given || runningDatabase(env.DATA_DIR || '.casewatch');
}

/** The embedded PostgreSQL that runs on this data folder, of either shape. */
function runningDatabase(dataDir: string): string {
  const running = [dataDir, path.join(dataDir, 'distributed')].flatMap(
    (folder) => urlOf(path.resolve(folder)) ?? [],
  );
  const [url] = running;
  if (running.length > 1) {
    throw new Error(
      `Casewatch runs twice on ${dataDir}: choose with DATA_DIR=${path.join(dataDir, 'distributed')}, or stop one.`,
    );
  }
  if (!url) throw new Error(`No Casewatch runs on ${dataDir}. Start it, or set DATA_DIR or DATABASE_URL.`);
  return url;
}

function urlOf(folder: string): string | undefined {
  const file = path.join(folder, 'secrets.json');
  if (!existsSync(file)) return undefined;
  const { databasePassword } = secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return urlOfRunningPostgres(path.join(folder, 'postgres'), databasePassword);
}
