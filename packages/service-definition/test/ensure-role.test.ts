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
    await Promise.all(clients.map((client) => ensureRole(client, { name, password: PASSWORD })));
    if (round < 24) await clients[0]?.query(`DROP ROLE ${name}`);
  }
  const { rows } =
    (await clients[0]?.query('SELECT rolcanlogin FROM pg_roles WHERE rolname = $1', [name])) ?? {};
  expect(rows).toEqual([{ rolcanlogin: true }]);
});

test('a service signs in by its role or by the alternate, which acts as the role; the password of one leaves the other', async () => {
  const [admin] = clients;
  if (!admin) throw new Error('no connection');
  const [owner, role, alternate] = [`${name}_owner`, `${name}_role`, `${name}_role_alternate`];
  const open = async (user: string, password: string) => {
    const url = new URL(databases[0]?.ownerUrl ?? '');
    Object.assign(url, { username: user, password });
    const session = new pg.Client({ connectionString: url.href });
    await session.connect();
    return session;
  };
  const usersOf = async (user: string, password: string) => {
    const session = await open(user, password);
    const { rows } = await session.query(
      "SELECT session_user, current_user, pg_has_role(session_user, $1, 'USAGE') AS inherits",
      [role],
    );
    await session.end();
    return rows[0];
  };
  const byRole = { session_user: role, current_user: role, inherits: true };
  const byAlternate = { session_user: alternate, current_user: role, inherits: false };
  // As in the guide: an owner who may create roles, and is no superuser.
  await admin.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'owner'`);
  const client = await open(owner, 'owner');
  try {
    await ensureRole(client, { name: role, password: 'first', actsAs: role });
    await ensureRole(client, { name: alternate, password: 'second', actsAs: role });
    expect(await usersOf(role, 'first')).toEqual(byRole);
    expect(await usersOf(alternate, 'second')).toEqual(byAlternate);

    await client.query(`ALTER ROLE ${role} NOLOGIN`);
    await expect(usersOf(role, 'first')).rejects.toThrow('not permitted to log in');
    expect(await usersOf(alternate, 'second')).toEqual(byAlternate);
    await ensureRole(client, { name: role, password: 'third', actsAs: role });
    expect(await usersOf(role, 'third')).toEqual(byRole);
  } finally {
    await client.end();
    for (const made of [alternate, role, owner]) await admin.query(`DROP ROLE IF EXISTS ${made}`);
  }
});

test('any other error is reported', async () => {
  const [client] = clients;
  if (!client) throw new Error('no connection');
  await expect(ensureRole(client, { name: 'pg_not_ours', password: PASSWORD })).rejects.toThrow(/reserved/);
});
