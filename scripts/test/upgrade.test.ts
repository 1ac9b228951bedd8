import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { registry } from '@casewatch/host/registry';
import { migrate } from '@casewatch/service-definition/migrate';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import { databaseUrl, TEMPLATE_DATABASE } from '@casewatch/testing/test-cluster';
import { testServerUrl } from '@casewatch/testing/test-database';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventTypes, type SampleEvent } from '../release/sample-events.ts';

/** The promise from 0.1.0 on (docs/adr/0062), held with what each version recorded when it was released (`npm run record`). */
const records = new URL('releases/', import.meta.url);
const versions = readdirSync(records);
const logger = pino({ level: 'silent' });

test.each(versions)(
  'the schema of %s, with rows and events, becomes that of a new database',
  async (version) => {
    const server = await testServerUrl();
    const name = `test_upgrade_${randomBytes(8).toString('hex')}`;
    const admin = await connect(server);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    onTestFinished(async () => void (await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)));
    const ownerUrl = databaseUrl(server, name);
    const recorded = new URL(`${version}/migrations/`, records);
    const services = registry
      .filter(({ name }) => readdirSync(recorded).includes(name))
      .map(({ name }) => ({ name, migrations: new URL(`${name}/`, recorded) }));
    await migrate({ ownerUrl, services, eventMigrations: new URL('events/', recorded), logger });
    const database = await connect(ownerUrl);
    for (const { topic, payload } of samplesOf(version))
      await database.query(
        `INSERT INTO cases.outbox (id, topic, key, payload, headers, created_at)
       VALUES (gen_random_uuid(), $1, 'key', $2, '{}', now())`,
        [topic, JSON.stringify(payload)],
      );
    await migrate({ ownerUrl, services: registry, logger });
    const fresh = await connect(databaseUrl(server, TEMPLATE_DATABASE));
    const upgraded = await schemaText(database);
    expect(upgraded.length).toBeGreaterThan(500);
    expect(upgraded).toEqual(await schemaText(fresh));
    await fresh.end();
    const { rows } = await database.query(
      'SELECT count(*)::int AS pending FROM cases.outbox WHERE done_at IS NULL',
    );
    expect(rows).toEqual([{ pending: samplesOf(version).length }]);
  },
);

test.each(versions)('every event that %s published is understood, with all its fields', (version) => {
  const samples = samplesOf(version);
  expect(samples.length).toBeGreaterThan(20);
  for (const { topic, payload } of samples) {
    const event = eventTypes.find(({ name }) => name === topic);
    expect(event, `nothing reads ${topic} any more`).toBeDefined();
    expect(event?.decode(payload)).toMatchObject(payload as object);
  }
});

const samplesOf = (version: string): readonly SampleEvent[] =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`${version}/events.json`, records)), 'utf8'));

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

/** All that makes the schemas of the services, one line each. */
async function schemaText(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `SELECT concat_ws(' ', relation.oid::regclass, relkind, reloptions, attname, format_type(atttypid, atttypmod), attnotnull,
         attidentity, pg_get_expr(adbin, adrelid)) AS line
       FROM pg_class AS relation JOIN pg_attribute ON attrelid = relation.oid AND attnum > 0 AND NOT attisdropped
         LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
       WHERE relnamespace = ANY ($1::regnamespace[]) AND relkind IN ('r', 'p', 'v', 'S')
     UNION ALL
     SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
       FROM pg_constraint WHERE connamespace = ANY ($1::regnamespace[])
     UNION ALL
     SELECT concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid)
       FROM pg_index JOIN pg_class ON pg_class.oid = indrelid WHERE relnamespace = ANY ($1::regnamespace[])
     UNION ALL
     SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = ANY ($1::regnamespace[])
     UNION ALL
     SELECT pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
       WHERE relnamespace = ANY ($1::regnamespace[]) AND NOT tgisinternal
     ORDER BY line`,
    [registry.map(({ name }) => schemaOf(name))],
  );
  return rows.map(({ line }) => line);
}
