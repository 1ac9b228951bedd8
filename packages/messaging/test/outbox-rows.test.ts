import { poolExecutor, type SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type LaneQuery,
  loadPending,
  markSettled,
  pendingTopics,
  pruneOutbox,
  publishAgain,
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
async function put(keys: readonly string[], doneMs?: number, topic = 'topic'): Promise<string[]> {
  const rows = await sql.query<{ seq: string }>(
    `INSERT INTO outbox (id, topic, key, payload, headers, created_at, done_at)
     SELECT gen_random_uuid(), $3, key, '{}', '{}', now(), $2
     FROM unnest($1::text[]) WITH ORDINALITY AS event (key, nth) ORDER BY nth RETURNING seq::text`,
    [keys, doneMs === undefined ? null : new Date(doneMs), topic],
  );
  return rows.map(({ seq }) => seq);
}
const laneOf = (lane: Partial<LaneQuery> = {}): LaneQuery => ({
  topic: 'topic',
  consumer: '',
  room: 100,
  except: [],
  exceptKeys: [],
  ...lane,
});
/** The numbers of the events that each lane gets. */
const load = async (...lanes: Partial<LaneQuery>[]) =>
  (await loadPending(sql, lanes.map(laneOf))).map((rows) => rows.map(({ seq }) => seq));
const settle = (seqs: readonly (string | undefined)[], consumer = '', consumers = [consumer]) =>
  markSettled(sql, seqs.map(String), { consumer, consumers, nowMs: START_MS });

test('pending events are loaded in their order, but for those and the keys that the lane has', async () => {
  const [a, b, c, d] = await put(['a', 'b', 'a', 'c']);
  await put(['a'], START_MS);
  expect(await load({})).toEqual([[a, b, c, d]]);
  expect(await load({ except: [String(a)] })).toEqual([[b, c, d]]);
  expect(await load({ exceptKeys: ['a'] })).toEqual([[b, d]]);
  expect(await load({ room: 2 })).toEqual([[a, b]]);
  expect(await load({ room: 0 })).toEqual([[]]);
});

test('each lane gets the events of its topic, and what one of them has is not kept from another', async () => {
  const [a, b] = await put(['a', 'b']);
  const [c] = await put(['a'], undefined, 'another');
  expect((await pendingTopics(sql)).toSorted()).toEqual(['another', 'topic']);
  const lanes = [
    { consumer: 'one', except: [String(a)] },
    { consumer: 'other', exceptKeys: ['b'] },
    { topic: 'another' },
    { topic: 'none' },
  ];
  expect(await load(...lanes)).toEqual([[b], [a], [c], []]);
});

test('an event is done once all consumers have settled it; until then those that have do not get it again', async () => {
  const [a, b] = await put(['a', 'b']);
  const consumers = ['one', 'other'];
  const lanes = consumers.map((consumer) => ({ consumer }));
  await settle([a], 'one', consumers);
  expect(await load(...lanes)).toEqual([[b], [a, b]]);
  await settle([a, b], 'other', consumers);
  expect(await load(...lanes)).toEqual([[b], []]);
  // Settled twice, by a relay that was replaced in between.
  await settle([a, b], 'other', consumers);
  await settle([b], 'one', consumers);
  expect(await load(...lanes)).toEqual([[], []]);
  expect(await pendingTopics(sql)).toEqual([]);
});

test('an event that all remaining consumers have settled is loaded again, to be done', async () => {
  const [a] = await put(['a']);
  await settle([a], 'one', ['one', 'removed']);
  expect(await load({ consumer: 'one' })).toEqual([[a]]);
  await settle([a], 'one');
  expect(await load({ consumer: 'one' })).toEqual([[]]);
});

test('events that have been done for the retention are deleted; the others stay', async () => {
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

test('a removal reads the ten thousand oldest events: what is done behind that many pending ones is removed after them', async () => {
  const [first] = await put(Array.from({ length: 9_999 }, (_, n) => `key-${n}`));
  await put(['a', 'b'], START_MS - 1);
  expect(await pruneOutbox(sql, START_MS)).toBe(1);
  await put(['pending']);
  await sql.query(`UPDATE outbox SET done_at = NULL WHERE key = 'b'`, []);
  await put(['c'], START_MS - 1);
  expect(await pruneOutbox(sql, START_MS)).toBe(0);
  await markSettled(sql, [String(first)], { consumer: '', consumers: [''], nowMs: START_MS - 1 });
  expect([await pruneOutbox(sql, START_MS), await pruneOutbox(sql, START_MS)]).toEqual([1, 0]);
  await sql.query(`DELETE FROM outbox WHERE key = 'pending'`, []);
  expect(await pruneOutbox(sql, START_MS)).toBe(1);
});

test('what is done is marked with its time, and pending again when it is to be published again', async () => {
  const [first, second] = await put(['a', 'a']);
  await settle([first]);
  expect(await load({})).toEqual([[second]]);
  const done = await sql.query('SELECT done_at FROM outbox WHERE done_at IS NOT NULL', []);
  expect(done).toEqual([{ done_at: new Date(START_MS) }]);
  expect(await publishAgain(sql)).toBe(1);
  expect(await load({})).toEqual([[first, second]]);
  expect(await publishAgain(sql)).toBe(0);
});

test('pending events are counted to ten thousand', async () => {
  await put(Array.from({ length: 10_001 }, (_, n) => `key-${n}`));
  expect(await waitingInOutbox(sql)).toMatchObject({ waiting: 10_000, oldestMs: expect.any(Number) });
  await sql.query('DELETE FROM outbox', []);
  expect(await waitingInOutbox(sql)).toEqual({ waiting: 0, oldestMs: undefined });
});
