import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { urlOfRunningPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCommand, until } from './run-command.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = makeMemoryFolder('events');
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (file: string, words: readonly string[], env: Record<string, string> = {}) =>
  startCommand(folder, file, words, env);

async function events(words: readonly string[], env: Record<string, string> = {}) {
  const run = start('scripts/events.ts', words, { DATABASE_URL: database.ownerUrl, ...env });
  return { code: await run.code, output: run.output() };
}

const INSERT = `
  INSERT INTO SCHEMA.dead_letters (consumer_group, event_id, topic, key, payload, headers, error, attempts, failed_at)
  VALUES ($1, $2, $3, 'k', $4, '{}', 'Error: it broke' || chr(10) || 'at line 1', 5,
    now() - $5 * interval '1 minute')`;
async function bury(
  sql: { query(text: string, values: unknown[]): Promise<unknown> },
  group: string,
  topic: string,
  payload: unknown,
  minutesAgo = 0,
): Promise<string> {
  const id = randomUUID();
  await sql.query(INSERT.replace('SCHEMA', group), [group, id, topic, JSON.stringify(payload), minutesAgo]);
  return id;
}
const inTestDatabase = { query: (sql: string, values: unknown[]) => database.query(sql, values) };

test('dead letters of every service are listed with their error, and redriven one by one or all', async () => {
  const ofNotifications = await bury(inTestDatabase, 'notifications', 'status-changed', { userId: 'y' }, 1);
  const ofCases = await bury(inTestDatabase, 'cases', 'user-deleted', { userId: 'x' });
  const all = await events(['dead-letters']);
  expect(all.code).toBe(0);
  for (const words of [ofCases, ofNotifications, 'Error: it broke', '5 attempts', '2 dead letters.']) {
    expect(all.output).toContain(words);
  }
  // The older one first, of whichever service it is.
  expect(all.output.indexOf(ofNotifications)).toBeLessThan(all.output.indexOf(ofCases));
  expect(all.output).not.toContain('at line 1');
  const one = await events(['dead-letters', '--group', 'cases']);
  expect(one.output).toContain(ofCases);
  expect(one.output).not.toContain(ofNotifications);

  const asked = await events(['redrive', '--id', ofCases]);
  expect(asked).toMatchObject({ code: 0, output: expect.stringContaining('cases: 1 dead letter') });
  const state = 'SELECT redrive_requested_at IS NOT NULL AS asked FROM';
  expect(await database.query(`${state} cases.dead_letters`)).toEqual([{ asked: true }]);
  expect(await database.query(`${state} notifications.dead_letters`)).toEqual([{ asked: false }]);
  expect((await events(['redrive', '--topic', 'status-changed'])).output).toContain(
    'notifications: 1 dead letter',
  );
  expect((await events(['dead-letters', '--id', ofNotifications])).output).toContain('to be handled again');

  const discarded = await events(['discard', '--id', ofCases]);
  expect(discarded).toMatchObject({ code: 0, output: expect.stringContaining(`cases  `) });
  expect(await database.query('SELECT FROM cases.dead_letters')).toEqual([]);
  expect(await database.query('SELECT FROM notifications.dead_letters')).toHaveLength(1);
  expect((await events(['discard', '--id', ofCases])).code).toBe(1);
}, 60_000);

test('wrong words, and what is not there, end with their own codes', async () => {
  expect(await events(['redirve'])).toMatchObject({
    code: 2,
    output: expect.stringContaining('npm run events --'),
  });
  expect((await events(['redrive', '--id', randomUUID()])).code).toBe(1);
  const nowhere = await events(['dead-letters'], { DATABASE_URL: '', DATA_DIR: path.join(folder, 'none') });
  expect(nowhere).toMatchObject({ code: 1, output: expect.stringContaining('No Casewatch runs on') });
}, 90_000);

test('of a running all-in-one it finds the database by itself; a redriven event is handled, and tail sees what is published', async () => {
  const dataDir = path.join(folder, 'data');
  const product = start('host/src/main.ts', [], { DATA_DIR: dataDir, PORT: '0' });
  try {
    const url = await until(() => /ready at (http:\S+)/.exec(product.output())?.[1]);
    const { databasePassword } = JSON.parse(readFileSync(path.join(dataDir, 'secrets.json'), 'utf8'));
    const owner = urlOfRunningPostgres(path.join(dataDir, 'postgres'), databasePassword);
    const sql = new pg.Client({ connectionString: owner });
    await sql.connect();
    const userId = randomUUID();
    const payload = { userId, receiptNumber: 'EAC9999103403', oldStatus: 'A', newStatus: 'B' };
    await bury(sql, 'notifications', 'status-changed', { ...payload, changedAt: new Date().toISOString() });
    const here = { DATABASE_URL: '', DATA_DIR: dataDir };
    expect((await events(['dead-letters'], here)).output).toContain('1 dead letter.');
    expect((await events(['redrive'], here)).code).toBe(0);
    await until(async () => {
      const { rows } = await sql.query('SELECT 1 FROM notifications.notifications WHERE user_id = $1', [
        userId,
      ]);
      return rows[0];
    });
    expect((await events(['dead-letters'], here)).output).toContain('No dead letters.');
    await sql.end();

    const tail = start('scripts/events.ts', ['tail', '--topic', 'user-signed-up', '--count', '1'], here);
    await until(() => (tail.output().includes('Listening') ? true : undefined));
    await fetch(`${url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({
        email: 'tail@example.test',
        password: 'follow the tail',
        firstName: 'T',
        lastName: 'L',
      }),
    });
    expect(await tail.code).toBe(0);
    expect(tail.output()).toContain('user-signed-up');
    expect(tail.output()).toContain('tail@example.test');
  } finally {
    product.child.kill('SIGTERM');
    await product.code;
  }
  expect(existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
}, 120_000);

test('publish-again puts back to be sent what an outbox still holds, of one service where it is named', async () => {
  const done = async (service: string) => {
    const id = randomUUID();
    await database.query(
      `INSERT INTO ${service}.outbox (id, topic, key, payload, headers, created_at, done_at)
       VALUES ($1, 'case-observed', 'EAC9999103403', '{}', '{}', now(), now())`,
      [id],
    );
    return async () =>
      (await database.query(`SELECT 1 FROM ${service}.outbox WHERE done_at IS NULL AND id = $1`, [id]))
        .length === 1;
  };
  const casesWaits = await done('cases');
  const monitoringWaits = await done('monitoring');
  const one = await events(['publish-again', '--group', 'cases']);
  expect(one).toMatchObject({ code: 0 });
  expect(one.output).toMatch(/cases: [1-9]\d* events? will be sent again/);
  expect([await casesWaits(), await monitoringWaits()]).toEqual([true, false]);
  const all = await events(['publish-again']);
  expect(all.output).toContain('cases: 0 events');
  expect(await monitoringWaits()).toBe(true);
});

test("publish-again reaches every outbox with each service's own login, as the chart's Job has them", async () => {
  const names = [
    'identity',
    'cases',
    'monitoring',
    'notifications',
    'billing',
    'surveys',
    'admin-log',
  ] as const;
  const env = Object.fromEntries(
    names.map((name) => [
      `${name.replace('-', '_').toUpperCase()}_DATABASE_URL`,
      database.directUrlFor(name),
    ]),
  );
  const run = start('host/src/container.ts', ['events', 'publish-again'], { ...env, DATABASE_URL: '' });
  expect(await run.code).toBe(0);
  for (const name of names)
    expect(run.output()).toMatch(new RegExp(`${name}: \\d+ events? will be sent again`));
});

test('the image has the same command', async () => {
  const run = start('host/src/container.ts', ['events', 'dead-letters'], { DATABASE_URL: database.ownerUrl });
  expect(await run.code).toBe(0);
  expect(run.output()).toContain('dead letter');
  const unknown = start('host/src/container.ts', ['evnets']);
  expect(await unknown.code).toBe(2);
});
