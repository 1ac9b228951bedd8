import { FOUND_USERS_MAX, findUsers } from '@casewatch/contracts/find-users';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type IdentityFixture, startIdentity } from './identity-fixture.ts';

let identity: IdentityFixture;
beforeEach(async () => {
  identity = await startIdentity();
});
afterEach(() => identity.stop());

const find = async (start: string) =>
  findUsers.answer.parse(await (await identity.send('POST', findUsers.path, { body: { start } })).json());

test('users are found by how the e-mail address or the last name begins, in any case, and by no pattern', async () => {
  const { user } = await identity.signUp('Maria.Garcia@example.org');
  const all = { userIds: [user.id], isComplete: true };
  expect(await find('maria.garcia@')).toEqual(all);
  expect((await find(user.lastName.toUpperCase().slice(0, 3))).userIds).toContain(user.id);
  for (const pattern of ['%', '_aria', 'garcia@', '\\']) expect((await find(pattern)).userIds).toEqual([]);
});

test.each([
  ['García', 'garc'],
  ['Garcia', 'GARCÍ'],
  ['Nguyễn', 'nguyen'],
  ['Ñañez', 'nane'],
  ['O\u0308zil', 'özi'],
])('the last name %s is found by %s', async (lastName, start) => {
  const { user } = await identity.signUp('ana@example.org');
  await identity.database.query('UPDATE identity.users SET last_name = $1', [lastName]);
  expect((await find(start)).userIds).toEqual([user.id]);
});

test('an address in a domain of another script is found as it is written', async () => {
  const { user } = await identity.signUp('ana@bücher.example');
  for (const start of ['ANA@bücher.example', 'ana@xn--bcher'])
    expect((await find(start)).userIds).toEqual([user.id]);
});

test('of more users than are shown the first by their ids are, and the answer says that there are more', async () => {
  const add = (from: number, to: number) =>
    identity.database.query(
      `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
       SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'many' || n, 'many' || n, 'x', 'F', 'L', now(), now(), 'key'
       FROM generate_series($1::int, $2::int, -1) AS n`,
      [from, to],
    );
  await add(FOUND_USERS_MAX + 1, 2);
  const all = await find('many');
  expect([all.userIds.length, all.isComplete]).toEqual([FOUND_USERS_MAX, true]);
  await add(1, 1);
  const id = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
  const userIds = Array.from({ length: FOUND_USERS_MAX }, (_, nth) => id(nth + 1));
  expect(await find('many')).toEqual({ userIds, isComplete: false });
});

test('each way to find a user has an index', async () => {
  await identity.database.query(
    `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
     SELECT gen_random_uuid(), 'u' || n || '@example.test', 'u' || n || '@example.test', 'x', 'F', 'L' || n, now(), now(), 'key'
     FROM generate_series(1, 5000) AS n`,
  );
  await identity.database.query('ANALYZE identity.users');
  const plan = await identity.database.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT id FROM identity.users WHERE email_key LIKE 'u123%' OR
       lower(regexp_replace(normalize(last_name, NFKD), '[\\u0300-\\u036f]+', '', 'g')) LIKE 'u123%'`,
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('users_email_start');
  expect(text).toContain('users_last_name_start');
  expect(text).not.toContain('Seq Scan');
});
