import { migrate } from '@casewatch/service-definition/migrate';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import { TEST_ROLE_SECRET } from '@casewatch/testing/test-cluster';
import pg from 'pg';
import { pino } from 'pino';
import { registry } from '../../src/registry.ts';

interface Table {
  /** Quoted, with its schema. */
  name: string;
  columns: string;
  rows: string;
}

export interface Dump {
  tables: readonly Table[];
  sequences: readonly { name: string; value: string | null }[];
}

const schemas = registry.map(({ name }) => schemaOf(name));

/** What `pg_dump --data-only` keeps: every row of every schema in one consistent snapshot, despite concurrent writes. */
export async function dump(ownerUrl: string): Promise<Dump> {
  return connected(ownerUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: tables } = await client.query<{ name: string; columns: string }>(
      `SELECT format('%I.%I', nspname, relname) AS name,
              string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
       FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE nspname = ANY($1) AND relkind IN ('r', 'p') AND NOT relispartition
         AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND relname NOT LIKE '%_migrations'
       GROUP BY 1 ORDER BY 1`,
      [schemas],
    );
    const dumped: Table[] = [];
    for (const table of tables) {
      const { rows } = await client.query<{ rows: string }>(
        `SELECT coalesce(json_agg(t), '[]')::text AS rows FROM (SELECT ${table.columns} FROM ${table.name}) AS t`,
      );
      dumped.push({ ...table, rows: rows[0]?.rows ?? '[]' });
    }
    const { rows: sequences } = await client.query<{ name: string; value: string | null }>(
      `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS value
       FROM pg_sequences WHERE schemaname = ANY($1)`,
      [schemas],
    );
    await client.query('COMMIT');
    return { tables: dumped, sequences };
  });
}

/** Empties the database as a disaster does: dropped, with every connection, and made anew without a schema. */
export async function lose(ownerUrl: string): Promise<void> {
  const server = new URL(ownerUrl);
  const name = pg.escapeIdentifier(server.pathname.slice(1));
  server.pathname = '/postgres';
  await connected(server.href, async (client) => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
  });
}

/** The migrations make schemas and roles in the empty database, then the rows come back. */
export async function restore(ownerUrl: string, { tables, sequences }: Dump): Promise<void> {
  await migrate({
    ownerUrl,
    services: registry,
    roleSecret: TEST_ROLE_SECRET,
    logger: pino({ level: 'silent' }),
  });
  await connected(ownerUrl, async (client) => {
    await client.query('BEGIN');
    // As pg_restore --disable-triggers does: rows come in any order.
    await client.query('SET LOCAL session_replication_role = replica');
    for (const { name, columns, rows } of tables) {
      await client.query(`DELETE FROM ${name}`);
      await client.query(
        `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1)`,
        [rows],
      );
    }
    for (const { name, value } of sequences) {
      if (value !== null) await client.query('SELECT setval($1, $2)', [name, value]);
    }
    await client.query('COMMIT');
  });
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
