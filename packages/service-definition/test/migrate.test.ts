import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { databaseUrl } from '@casewatch/testing/test-cluster';
import { testServerUrl } from '@casewatch/testing/test-database';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { migrate } from '../src/migrate.ts';

const name = `test_migrate_${randomBytes(8).toString('hex')}`;
let folder: string;
let ownerUrl: string;
let admin: pg.Client;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-migrations-'));
  const server = await testServerUrl();
  ownerUrl = databaseUrl(server, name);
  admin = await connect(server);
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
});
afterEach(async () => {
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
});

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function run(output: string[] = []): Promise<void> {
  return migrate({
    ownerUrl,
    services: [{ name: 'surveys', migrations: pathToFileURL(`${folder}/`) }],
    lockTimeoutMs: 50,
    logger: pino({ level: 'warn' }, { write: (line) => void output.push(line) }),
  });
}

test('a migration whose table is in use gives way to others, and is applied once the table is free', async () => {
  writeFileSync(path.join(folder, '0001_first.sql'), '-- Up Migration\nCREATE TABLE busy (id integer);\n');
  await run();
  const added = '-- Up Migration\nCREATE TABLE other (id integer);\nALTER TABLE busy ADD COLUMN n integer;\n';
  writeFileSync(path.join(folder, '0002_second.sql'), added);

  const [holder, reader] = await Promise.all([connect(ownerUrl), connect(ownerUrl)]);
  await holder.query('BEGIN; SELECT * FROM surveys.busy');
  const output: string[] = [];
  const migrating = run(output);
  await vi.waitFor(() => expect(output.join()).toContain('a table is in use, will retry'), {
    timeout: 20_000,
  });
  await expect(reader.query('SELECT count(*) FROM surveys.busy')).resolves.toBeDefined();
  await holder.query('COMMIT');
  await migrating;
  await expect(reader.query('SELECT n FROM surveys.busy')).resolves.toBeDefined();
  await Promise.all([holder.end(), reader.end()]);
});

test('any other error is reported at once, and nothing of its file is applied', async () => {
  const wrong = '-- Up Migration\nCREATE TABLE made (id integer);\nSELECT 1 / 0;\n';
  writeFileSync(path.join(folder, '0001_wrong.sql'), wrong);
  await expect(run()).rejects.toThrow('division by zero');
  const client = await connect(ownerUrl);
  await expect(client.query('SELECT FROM surveys.made')).rejects.toThrow('does not exist');
  await client.end();
});
