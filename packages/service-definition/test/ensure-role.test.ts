import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureRole } from '../src/ensure-role.ts';

const PASSWORD = 'the same for all';

let databases: TestDatabase[];
let clients: pg.Client[];
const name = `casewatch_test_${randomBytes(6).toString('hex')}`;

beforeAll(async () => {
  databases = await Promise.all([1, 2, 3, 4].map(() => createTestDatabase()));
  clients = databases.map(({ ownerUrl }) => new pg.Client({ connectionString: ownerUrl }));
  await Promise.all(clients.map((client) => client.connect()));
});
afterAll(async () => {
  await clients[0]?.query(`DROP ROLE IF EXISTS ${name}`);
  await Promise.all(clients.map((client) => client.end()));
  await Promise.all(databases.map((database) => database.drop()));
});

test('migrations of several databases of one server make the same role at once, again and again', async () => {
  for (let round = 0; round < 25; round++) {
    await Promise.all(clients.map((client) => ensureRole(client, name, PASSWORD)));
    if (round < 24) await clients[0]?.query(`DROP ROLE ${name}`);
  }
  const { rows } =
    (await clients[0]?.query('SELECT rolcanlogin FROM pg_roles WHERE rolname = $1', [name])) ?? {};
  expect(rows).toEqual([{ rolcanlogin: true }]);
});

test('any other error is reported', async () => {
  const [client] = clients;
  if (!client) throw new Error('no connection');
  await expect(ensureRole(client, 'pg_not_ours', PASSWORD)).rejects.toThrow(/reserved/);
});
