import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { registry } from '@casewatch/host/registry';
import { migrate } from '@casewatch/service-definition/migrate';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import pg from 'pg';
import { root } from '../src/child.ts';

/**
 * `npm run bench:row-sizes`: what a row of the tables that grow takes on disk with its share of all indexes, by filling each with
 * 100,000 rows of usual length in a real PostgreSQL. `bench:audit` prints the same for a lookup of the request log.
 */
const ROWS = 100_000;
const TITLE = 'Case Was Updated To Show Fingerprints Were Taken';
const SENTENCE =
  'As of January 5, 2026, fingerprints relating to your Form I-485, Application to Register Permanent Residence or Adjust Status, have been applied to your case. ';
const user = 'gen_random_uuid()';
const receipt = "'EAC' || lpad(n::text, 10, '0')";

/** Table -> columns and values of row `n`. */
const FILLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'identity.users': {
    ...{
      id: user,
      email: "'someone' || n || '@example.test'",
      email_key: "'someone' || n || '@example.test'",
    },
    ...{
      password_hash: "'$argon2id$' || repeat('x', 86)",
      first_name: "'Maria'",
      last_name: "'Gonzalez' || n",
    },
    created_at: 'now()',
  },
  'cases.case_snapshots': {
    ...{ receipt_number: receipt, observed_at: 'now()', status: `'${TITLE}'`, status_at: 'now()' },
    ...{ description: `repeat('${SENTENCE}', 3)`, form_type: "'I-485'" },
    ...{ status_es: `'${TITLE}'`, description_es: `repeat('${SENTENCE}', 3)`, spanish_at: 'now()' },
  },
  'cases.observations': {
    ...{
      receipt_number: receipt,
      entry: '1',
      status: `'${TITLE}'`,
      status_at: 'now()',
      source: "'observed'",
    },
    ...{ first_observed_at: 'now()', last_observed_at: 'now()' },
    status_es: `'${TITLE}'`,
  },
  'cases.saved_cases': {
    ...{ id: user, user_id: user, receipt_number: receipt, nickname: "'Green card'", created_at: 'now()' },
    ...{ monitoring_frequency: "'weekly'", last_known_status: `'${TITLE}'`, form_type: "'I-485'" },
    ...{ last_known_status_es: `'${TITLE}'`, spanish_at: 'now()' },
  },
  'monitoring.watches': {
    ...{ receipt_number: receipt, period_days: '7', next_check_at: 'now()', last_checked_at: 'now()' },
    ...{ last_status: `'${TITLE}'`, status_call: '1' },
  },
  'monitoring.watchers': {
    ...{ user_id: user, receipt_number: receipt, period_days: '7', version: '1', began: '1' },
    ...{ seen_call: '1', seen_status: `'${TITLE}'` },
  },
  'notifications.notifications': {
    ...{ id: user, user_id: user, seq: 'n', receipt_number: receipt, old_status: `'${TITLE}'` },
    ...{ new_status: `'${TITLE}'`, created_at: 'now()' },
  },
};

const { values } = parseArgs({
  options: { out: { type: 'string', default: path.join(root, 'test-results/bench') } },
});
const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-rows-'));
const password = randomBytes(16).toString('hex');
const database = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg'), password });
const client = new pg.Client({ connectionString: database.ownerUrl });
try {
  const logger = createLogger({ level: 'error', name: 'bench' });
  await migrate({ ownerUrl: database.ownerUrl, services: registry, roleSecret: password, logger });
  await client.connect();
  const bytes: Record<string, number> = {};
  console.log('| table | bytes a row, with indexes |\n|---|---|');
  for (const [table, row] of Object.entries(FILLED)) {
    bytes[table] = await bytesOf(table, row);
    console.log(`| ${table} | ${bytes[table]} |`);
  }
  mkdirSync(values.out, { recursive: true });
  const result = { command: 'npm run bench:row-sizes', rows: ROWS, bytes };
  writeFileSync(path.join(values.out, 'row-sizes.json'), `${JSON.stringify(result, undefined, 1)}\n`);
} finally {
  await client.end();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function bytesOf(table: string, row: Readonly<Record<string, string>>): Promise<number> {
  await client.query(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')})
     SELECT ${Object.values(row).join(', ')} FROM generate_series(1, ${ROWS}) AS n`,
  );
  const { rows } = await client.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('${table}')::float8 + coalesce(sum(pg_total_relation_size(relid)), 0) AS bytes
     FROM pg_partition_tree('${table}') WHERE relid <> '${table}'::regclass`,
  );
  return Math.round((rows[0]?.bytes ?? 0) / ROWS);
}
