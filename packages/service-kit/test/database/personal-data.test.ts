import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PersonalData, readPersonalData } from '../../src/database/personal-data.ts';

const DATA: PersonalData = {
  tables: {
    notes: { key: ['day', 'n'], columns: 'day, n, text', more: { length: 'length(text)' } },
    shares: { where: 'owner = $1::uuid OR reader = $1::uuid', key: ['n'], columns: 'n' },
  },
};

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.ownerUrl, max: 1, options: '-c search_path=cases' });
  // `end` resolves before the connection is closed, and the database may be dropped by then.
  pool.on('error', () => undefined);
  await pool.query(`CREATE TABLE notes (user_id uuid, day date, n integer, text text);
    CREATE TABLE shares (owner uuid, reader uuid, n integer)`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const write = (userId: string, count: number) =>
  pool.query(
    `INSERT INTO notes SELECT $1, '2026-01-01'::date + n / 100, n, E'line\\nof ' || n
     FROM generate_series(1, $2::int) AS n ORDER BY random()`,
    [userId, count],
  );
/** The pieces of a download, each as its rows. */
async function read(userId: string) {
  const pieces: { table: string; row: Record<string, unknown> }[][] = [];
  for await (const piece of readPersonalData(pool, DATA, userId)) {
    expect(piece.endsWith('\n')).toBe(true);
    pieces.push(
      piece
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  }
  return pieces;
}

test('all rows of a user come once, in the order of their key, at most 500 at a time', async () => {
  const [userId, other] = [randomUUID(), randomUUID()];
  await write(userId, 1_100);
  await write(other, 3);
  const pieces = await read(userId);
  expect(pieces.map(({ length }) => length)).toEqual([500, 500, 100]);
  const rows = pieces.flat();
  expect(rows.map(({ row }) => row.n)).toEqual(Array.from({ length: 1_100 }, (_, index) => index + 1));
  expect(rows[99]).toEqual({
    table: 'notes',
    row: { day: '2026-01-02', n: 100, text: 'line\nof 100', length: 11 },
  });
});

test('a table whose last page is full ends, and the next one follows', async () => {
  const [userId, other] = [randomUUID(), randomUUID()];
  await write(userId, 500);
  await pool.query('INSERT INTO shares VALUES ($1, $2, 2), ($2, $1, 1), ($2, $2, 3)', [userId, other]);
  const pieces = await read(userId);
  expect(pieces.map(({ length }) => length)).toEqual([500, 2]);
  expect(pieces[1]).toEqual([
    { table: 'shares', row: { n: 1 } },
    { table: 'shares', row: { n: 2 } },
  ]);
});

test('of a user without rows there is nothing', async () => {
  expect(await read(randomUUID())).toEqual([]);
});
