import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { comparePrismaWithDatabase } from '@casewatch/testing/prisma-agreement';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROWS = 5_000;
const SCHEMA = new URL('../prisma/schema.prisma', import.meta.url);

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'casewatch-prisma-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

test('schema.prisma and the migrated database agree', async () => {
  expect(await comparePrismaWithDatabase(SCHEMA, database, 'identity')).toEqual([]);
});

test.each([
  ['  role         String?\n', '', 'users.role: the column has no field'],
  ['String?', 'String', 'users.role: required in Prisma, optional in the database'],
  [
    '  email        String\n',
    '  email        String?\n',
    'users.email: optional in Prisma, required in the database',
  ],
  ['@map("email_key")', '@map("mail_key")', 'users.mail_key: the field has no column'],
  ['Int ', 'BigInt ', 'users.login_count: bigint in Prisma, integer in the database'],
  ['@id @db.Uuid', '@id', 'users.id: text in Prisma, uuid in the database'],
  [
    '@db.Timestamptz(3)',
    '',
    'users.created_at: timestamp(3) without time zone in Prisma, timestamp(3) with time zone in the database',
  ],
  ['@unique(map: "users_email_key")', '', 'users: only the database has the unique (email_key)'],
  ['email        String\n', 'email        String @unique\n', 'users: only Prisma has the unique (email)'],
  [
    '@id @map("sid_hash")',
    '@unique @map("sid_hash")',
    'sessions: only the database has the primary key (sid_hash)',
  ],
  ['@@map("sessions")', '@@map("visits")', 'visits: the model has no table'],
  ['@@map("sessions")', '@@map("visits")', 'sessions: the table has no model'],
  [
    '@id @db.Uuid',
    '@id @default(dbgenerated("gen_random_uuid()")) @db.Uuid',
    'users.id: the database has no default',
  ],
])('a schema.prisma with %j replaced by %j is reported', async (from, to, problem) => {
  const text = await readFile(SCHEMA, 'utf8');
  expect(text).toContain(from);
  const doctored = path.join(folder, 'schema.prisma');
  await writeFile(doctored, text.replace(from, to));
  expect(await comparePrismaWithDatabase(doctored, database, 'identity')).toContain(problem);
});

/** The plan at a size where an index pays. */
async function planOf(sql: string): Promise<string> {
  const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test.each([
  ["SELECT * FROM identity.users WHERE email_key = 'a'", 'users_email_'],
  ["DELETE FROM identity.sessions WHERE sid_hash = 'a'", 'sessions_pkey'],
  [
    "DELETE FROM identity.sessions WHERE user_id = '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11'",
    'sessions_user_id',
  ],
  [
    'SELECT sid_hash FROM identity.sessions WHERE expires_at <= now() ORDER BY expires_at LIMIT 10',
    'sessions_expires_at',
  ],
  ['DELETE FROM identity.users WHERE is_demo', 'users_demo'],
])('%s is served by its index', async (sql, index) => {
  await fill();
  expect(await planOf(sql)).toContain(index);
});

let filled: Promise<unknown> | undefined;
function fill() {
  filled ??= database
    .query(
      `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
       SELECT gen_random_uuid(), n || '@example.org', n || '@example.org', 'x', 'A', 'B', now(), now(), 'key'
       FROM generate_series(1, $1::int) AS n`,
      [ROWS],
    )
    .then(() =>
      database.query(
        `INSERT INTO identity.sessions (sid_hash, user_id, created_at, last_seen_at, expires_at, ends_at, id, device, network)
         SELECT 'hash of ' || id, id, now(), now(), now() + random() * interval '9 days', now() + interval '9 days', id, 'Firefox', '-'
         FROM identity.users`,
      ),
    )
    .then(() => database.query('ANALYZE identity.users, identity.sessions'));
  return filled;
}
