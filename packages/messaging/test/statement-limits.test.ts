import { schemaOf } from '@casewatch/service-kit/database/service-url';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { startTcpProxy } from '@casewatch/testing/tcp-proxy';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listDeadLetters, requestRedrive } from '../src/dead-letters.ts';
import { defaultPolicy } from '../src/delivery-policy.ts';
import { defineBatchHandler, defineHandler, type EventHandler } from '../src/event-bus.ts';
import type { EventRecord } from '../src/event-record.ts';
import { createGroupConsumer } from '../src/group-consumer.ts';
import { batchRecorder, counted, perKey, quick, recordEffect, recorder, upTo } from './bus-scenarios.ts';
import { createEventsDatabase, type EventsDatabase } from './events-database.ts';

/** Errors of PostgreSQL that may be the event's own or the server's: which of them end in a dead letter. */

const GROUP = 'notifications';
let database: EventsDatabase;
let stops: (() => Promise<unknown>)[];
beforeEach(async () => {
  database = await createEventsDatabase();
  stops = [];
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await database.drop();
});

/** Connections with the given statement timeout. */
function poolWith(settings: string, { url = database.urlFor(GROUP), query_timeout = 5_000 } = {}): pg.Pool {
  const options = `-c search_path=${schemaOf(GROUP)} ${settings}`;
  const pool = new pg.Pool({
    connectionString: url,
    options,
    max: 8,
    query_timeout,
    connectionTimeoutMillis: query_timeout,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  stops.push(() => pool.end());
  return pool;
}
function startConsumer(handlers: readonly EventHandler[], pool = poolWith('-c statement_timeout=100')) {
  const retried: { code: unknown; message: string }[] = [];
  const logger = pino(
    { level: 'warn' },
    { write: (line) => void (JSON.parse(line).level === 40 && retried.push(JSON.parse(line).err)) },
  );
  const policy = { ...defaultPolicy, ...quick };
  const consumer = createGroupConsumer({ group: GROUP, handlers, pool, clock: systemClock, logger, policy });
  stops.push(consumer.stop);
  return { consumer, retried };
}
const recordOf = (key: string, n: number): EventRecord => ({
  id: uuidV7(Date.now()),
  topic: counted.name,
  key,
  payload: { userId: key, loginCount: n },
  headers: {},
});
const effects = async () => perKey(await database.effects(GROUP));
const deadLetters = () => database.transaction(GROUP, (tx) => listDeadLetters(tx));
const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 30_000, interval: 10 });

/** A handler that does `fail` for the key `poison`, and records all other events. */
const poisonedBy = (fail: (tx: Parameters<EventHandler['handle']>[2]) => Promise<unknown>): EventHandler =>
  defineHandler(GROUP, counted, async (payload, meta, tx) => {
    if (payload.userId === 'poison') await fail(tx);
    await recordEffect(payload, meta, tx);
  });

/** Dispatches the poison and then other events one by one until it is settled. Resolves to the number of the others. */
async function settleOthers(consumer: ReturnType<typeof createGroupConsumer>, poison: EventRecord) {
  let settled = false;
  const settling = consumer.dispatch(poison).then(() => {
    settled = true;
  });
  let n = 0;
  while (!settled) await consumer.dispatch(recordOf('other', ++n));
  await settling;
  return n;
}

const sleepTooLong = { name: 'a statement timeout', fail: 'SELECT pg_sleep(60)' };
test.each([
  sleepTooLong,
  { name: 'a lock timeout', fail: raise('55P03') },
  { name: 'running out of memory', fail: raise('53200') },
  { name: 'exceeding a configured limit', fail: raise('53400') },
])(
  'R5: an event that always ends in $name becomes a dead letter while others are settled',
  async ({ fail }) => {
    const { consumer } = startConsumer([poisonedBy((tx) => tx.query(fail, []))]);
    const others = await settleOthers(consumer, recordOf('poison', 1));
    expect(await deadLetters()).toMatchObject([{ key: 'poison', attempts: 5 }]);
    expect(await effects()).toEqual({ other: upTo(others) });
  },
);

test.each([
  { setting: 'idle_in_transaction_session_timeout=50', reason: 'idle-in-transaction timeout' },
  { setting: 'transaction_timeout=300', reason: 'transaction timeout' },
])(
  'R5: a handler that idles in its transaction until the server ends it by $setting becomes a dead letter while others are settled',
  async ({ setting, reason }) => {
    const idle = poisonedBy(async (tx) => {
      const [backend] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid', []);
      const alive = () => database.query('SELECT FROM pg_stat_activity WHERE pid = $1', [backend?.pid]);
      await eventually(async () => expect(await alive()).toEqual([]));
    });
    const { consumer, retried } = startConsumer([idle], poolWith(`-c ${setting}`));
    await settleOthers(consumer, recordOf('poison', 1));
    expect(await deadLetters()).toMatchObject([{ key: 'poison', attempts: 5 }]);
    expect(retried.map(({ message }) => message)).toContainEqual(expect.stringContaining(`due to ${reason}`));
  },
);

test('R5: an event whose statement always exceeds the transaction timeout becomes a dead letter while others are settled', async () => {
  const sleeping = poisonedBy((tx) => tx.query('SELECT pg_sleep(60)', []));
  const { consumer, retried } = startConsumer([sleeping], poolWith('-c transaction_timeout=300'));
  const others = await settleOthers(consumer, recordOf('poison', 1));
  expect(await deadLetters()).toMatchObject([{ key: 'poison', attempts: 5 }]);
  expect(await effects()).toEqual({ other: upTo(others) });
  expect(retried.map(({ code }) => code)).toContain('25P04');
});

test('R5: of a batch that exceeds the statement timeout only the event that causes it becomes a dead letter', async () => {
  const handler = defineBatchHandler(GROUP, counted, async (events, tx) => {
    for (const { payload, meta } of events) {
      if (payload.userId === 'poison') await tx.query('SELECT pg_sleep(60)', []);
      await recordEffect(payload, meta, tx);
    }
  });
  const { consumer } = startConsumer([handler]);
  const batch = upTo(5).map((n) => consumer.dispatch(recordOf(`key-${n}`, n)));
  await Promise.all([...batch, settleOthers(consumer, recordOf('poison', 1))]);
  expect(await deadLetters()).toMatchObject([{ key: 'poison', attempts: 5 }]);
  expect(await effects()).toMatchObject(Object.fromEntries(upTo(5).map((n) => [`key-${n}`, [n]])));
});

test('R5: such events never take all that is handled at once: others are settled in the same time, so that they become dead letters', async () => {
  const running = new Set<string>();
  let mostAgain = 0;
  const failed = new Set<string>();
  const hanging = defineHandler(GROUP, counted, async (payload, meta, tx) => {
    const { userId } = payload;
    if (!userId.startsWith('poison')) return recordEffect(payload, meta, tx);
    running.add(userId);
    if ([...running].every((key) => failed.has(key))) mostAgain = Math.max(mostAgain, running.size);
    await tx.query('SELECT pg_sleep(60)', []).finally(() => {
      running.delete(userId);
      failed.add(userId);
    });
  });
  const { consumer } = startConsumer([hanging]);
  const { concurrency } = defaultPolicy;
  let left = concurrency;
  const settling = upTo(left).map((n) =>
    consumer.dispatch(recordOf(`poison-${n}`, 1)).then(() => {
      left--;
    }),
  );
  // Others come only while those run.
  for (let n = 1; left > 0; n++) {
    await eventually(() => expect(left === 0 || running.size > 0).toBe(true));
    await consumer.dispatch(recordOf('other', n));
  }
  await Promise.all(settling);
  expect((await deadLetters()).map(({ attempts }) => attempts)).toEqual([5, 5, 5, 5]);
  expect(mostAgain).toBe(concurrency - 1);
});

test('an event that exceeds the statement timeout is retried for ever while no other is settled', async () => {
  let isSlow = true;
  const handler = poisonedBy(async (tx) => isSlow && tx.query('SELECT pg_sleep(60)', []));
  const { consumer, retried } = startConsumer([handler], poolWith('-c statement_timeout=20'));
  const settling = consumer.dispatch(recordOf('poison', 1));
  await eventually(() => expect(retried.length).toBeGreaterThan(8));
  isSlow = false;
  await settling;
  expect([await deadLetters(), await effects()]).toEqual([[], { poison: [1] }]);
});

test.each(['one by one', 'in batches'])(
  'a database in which every statement times out for as long as four attempts and more makes no dead letter: events %s',
  async (how) => {
    const handler = how === 'in batches' ? batchRecorder(GROUP, () => undefined) : recorder(GROUP);
    const { consumer, retried } = startConsumer([handler], poolWith('-c statement_timeout=100'));
    await consumer.dispatch(recordOf('before', 1));
    const holder = await database.poolOf(GROUP).connect();
    await holder.query('BEGIN; LOCK TABLE inbox IN ACCESS EXCLUSIVE MODE');
    const settling = upTo(8).map((n) => consumer.dispatch(recordOf(`key-${n}`, n)));
    await eventually(() => expect(retried.length).toBeGreaterThan(48));
    expect(new Set(retried.map(({ code }) => code))).toEqual(new Set(['57014']));
    await holder.query('ROLLBACK');
    holder.release();
    await Promise.all(settling);
    expect(await deadLetters()).toEqual([]);
    expect(Object.keys(await effects())).toHaveLength(9);
  },
);

test('a database that does not answer makes no dead letter', async () => {
  const url = new URL(database.urlFor(GROUP));
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  stops.push(proxy.stop);
  url.host = `127.0.0.1:${proxy.port}`;
  const pool = poolWith('', { url: url.href, query_timeout: 200 });
  const { consumer, retried } = startConsumer([recorder(GROUP)], pool);
  await Promise.all(upTo(8).map((n) => consumer.dispatch(recordOf('before', n))));
  await proxy.set('hang');
  const settling = upTo(8).map((n) => consumer.dispatch(recordOf(`key-${n}`, n)));
  await eventually(() => expect(retried.length).toBeGreaterThan(40));
  await proxy.set('pass');
  await Promise.all(settling);
  expect(await deadLetters()).toEqual([]);
});

test.each([
  { name: 'a deadlock', code: '40P01' },
  { name: 'a serialization failure', code: '40001' },
  { name: 'a full disk', code: '53100' },
  { name: 'too many connections', code: '53300' },
])('$name is never held against the event, also while others are settled', async ({ code }) => {
  let fails = true;
  const handler = poisonedBy(async (tx) => fails && tx.query(raise(code), []));
  const { consumer, retried } = startConsumer([handler]);
  const settling = settleOthers(consumer, recordOf('poison', 1));
  await eventually(() => expect(retried.length).toBeGreaterThan(8));
  fails = false;
  await settling;
  expect([await deadLetters(), (await effects()).poison]).toEqual([[], [1]]);
});

test('a dead letter whose redrive times out waits for the next request, and does not hold up the others', async () => {
  const { consumer } = startConsumer([poisonedBy((tx) => tx.query('SELECT pg_sleep(60)', []))]);
  const sql = poolExecutor(database.poolOf(GROUP));
  const letters = [recordOf('poison', 1), recordOf('fine', 1)];
  for (const [index, { id, topic, key, payload }] of letters.entries()) {
    await sql.query(
      `INSERT INTO dead_letters (consumer_group, event_id, topic, key, payload, headers, error, attempts, failed_at)
       VALUES ($1, $2, $3, $4, $5, '{}', 'a defect', 5, now())`,
      [GROUP, id, topic, key, JSON.stringify(payload)],
    );
    await requestRedrive(sql, index, { eventId: id });
  }
  await consumer.redrive();
  expect(await deadLetters()).toMatchObject([
    {
      key: 'poison',
      attempts: 6,
      redriveRequestedAt: null,
      error: expect.stringContaining('statement timeout'),
    },
  ]);
  expect(await effects()).toEqual({ fine: [1] });
});

/** A statement that fails with this SQLSTATE. */
function raise(code: string): string {
  return `DO $$ BEGIN RAISE EXCEPTION 'failed' USING ERRCODE = '${code}'; END $$`;
}
