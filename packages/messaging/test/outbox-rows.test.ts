import { poolExecutor, type SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  loadWaiting,
  markDone,
  pruneOutbox,
  publishAgain,
  SHARDS,
  waitingInOutbox,
} from '../src/outbox-rows.ts';
import { createEventsDatabase, type EventsDatabase } from './events-database.ts';

const START_MS = Date.UTC(2026, 0, 5);

let database: EventsDatabase;
let sql: SqlExecutor;
beforeAll(async () => {
  database = await createEventsDatabase();
  sql = poolExecutor(database.poolOf('billing'));
});
beforeEach(() => sql.query('DELETE FROM outbox', []));
afterAll(() => database.drop());

/** Puts an event of each key into the outbox, done at a time or pending; returns their numbers. */
async function put(keys: readonly string[], doneMs?: number): Promise<string[]> {
  const rows = await sql.query<{ seq: string }>(
    `INSERT INTO outbox (id, topic, key, payload, headers, created_at, done_at)
     SELECT gen_random_uuid(), 'topic', key, '{}', '{}', now(), $2
     FROM unnest($1::text[]) WITH ORDINALITY AS event (key, nth) ORDER BY nth RETURNING seq::text`,
    [keys, doneMs === undefined ? null : new Date(doneMs)],
  );
  return rows.map(({ seq }) => seq);
}
const all = [...Array(SHARDS).keys()];
const load = async (options: Partial<Parameters<typeof loadWaiting>[1]> = {}) => {
  const { rows, more } = await loadWaiting(sql, {
    shards: all,
    except: [],
    exceptKeys: [],
    perShard: 100,
    perKey: 10,
    ...options,
  });
  return { seqs: rows.map(({ seq }) => seq), more, shards: new Set(rows.map(({ shard }) => shard)) };
};

test('pending events are loaded in their order, but for those and the keys that the relay has', async () => {
  const [a, b, c, d] = await put(['a', 'b', 'a', 'c']);
  await put(['a'], START_MS);
  expect((await load()).seqs).toEqual([a, b, c, d]);
  expect((await load({ except: [String(a)] })).seqs).toEqual([b, c, d]);
  expect((await load({ exceptKeys: ['topic a'] })).seqs).toEqual([b, d]);
  expect((await load({ exceptKeys: ['a'] })).seqs).toEqual([a, b, c, d]);
  expect((await load({ perKey: 1 })).seqs).toEqual([a, b, d]);
});

test('each shard gives its oldest events, and says whether it may have more', async () => {
  const seqs = await put(['a', 'a', 'a']);
  const [shard = 0] = (await load()).shards;
  const others = all.filter((other) => other !== shard);
  expect(await load({ perShard: 2 })).toMatchObject({ seqs: seqs.slice(0, 2), more: true });
  expect(await load({ perShard: 3 })).toMatchObject({ seqs, more: true });
  expect(await load({ perShard: 4 })).toMatchObject({ seqs, more: false });
  // Of one key only so many, though the shard has more.
  expect(await load({ perShard: 3, perKey: 1 })).toMatchObject({ seqs: seqs.slice(0, 1), more: true });
  expect(await load({ shards: others })).toMatchObject({ seqs: [], more: false });
});

test('events that are done are gone once they have been so for the retention; the others stay', async () => {
  const [pending] = await put(['a']);
  await put(['b'], START_MS - 1);
  const [kept] = await put(['c'], START_MS);
  expect(await pruneOutbox(sql, START_MS)).toBe(1);
  const rows = await sql.query<{ seq: string }>('SELECT seq::text FROM outbox ORDER BY outbox.seq', []);
  expect(rows.map(({ seq }) => seq)).toEqual([pending, kept]);
});

test('five thousand events are removed at a time, the oldest before the others', async () => {
  await put(
    Array.from({ length: 5_000 }, () => 'a'),
    START_MS - 1_000,
  );
  const late = await put(['late'], START_MS - 2_000);
  expect(await pruneOutbox(sql, START_MS)).toBe(5_000);
  const rows = await sql.query<{ seq: string }>('SELECT seq::text FROM outbox', []);
  expect(rows.map(({ seq }) => seq)).toEqual(late);
  expect([await pruneOutbox(sql, START_MS), await pruneOutbox(sql, START_MS)]).toEqual([1, 0]);
});

test('a removal reads the ten thousand oldest events: what is done behind so many pending ones goes after them', async () => {
  const [first] = await put(Array.from({ length: 9_999 }, (_, n) => `key-${n}`));
  await put(['a', 'b'], START_MS - 1);
  expect(await pruneOutbox(sql, START_MS)).toBe(1);
  await put(['pending']);
  await sql.query(`UPDATE outbox SET done_at = NULL WHERE key = 'b'`, []);
  await put(['c'], START_MS - 1);
  expect(await pruneOutbox(sql, START_MS)).toBe(0);
  await markDone(sql, [String(first)], START_MS - 1);
  expect([await pruneOutbox(sql, START_MS), await pruneOutbox(sql, START_MS)]).toEqual([1, 0]);
  await sql.query(`DELETE FROM outbox WHERE key = 'pending'`, []);
  expect(await pruneOutbox(sql, START_MS)).toBe(1);
});

test('what is done is marked with its time, and pending again when it is to be published again', async () => {
  const [first, second] = await put(['a', 'a']);
  await markDone(sql, [String(first)], START_MS);
  expect((await load()).seqs).toEqual([second]);
  const done = await sql.query('SELECT done_at FROM outbox WHERE done_at IS NOT NULL', []);
  expect(done).toEqual([{ done_at: new Date(START_MS) }]);
  expect(await publishAgain(sql)).toBe(1);
  expect((await load()).seqs).toEqual([first, second]);
  expect(await publishAgain(sql)).toBe(0);
});

test('pending events are counted to ten thousand', async () => {
  await put(Array.from({ length: 10_001 }, (_, n) => `key-${n}`));
  expect(await waitingInOutbox(sql)).toMatchObject({ waiting: 10_000, oldestMs: expect.any(Number) });
  await sql.query('DELETE FROM outbox', []);
  expect(await waitingInOutbox(sql)).toEqual({ waiting: 0, oldestMs: undefined });
});
