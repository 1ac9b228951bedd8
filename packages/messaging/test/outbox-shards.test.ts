import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createManualClock } from '@casewatch/testing/manual-clock';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutboxHints } from '../src/outbox-hints.ts';
import { createOutboxPublisher } from '../src/outbox-publisher.ts';
import { type OutboxRelayOptions, startOutboxRelay } from '../src/outbox-relay.ts';
import { type OutboxRow, SHARDS, waitingInOutbox } from '../src/outbox-rows.ts';
import { bus, counted, gate, upTo } from './bus-scenarios.ts';
import { createEventsDatabase, type EventsDatabase } from './events-database.ts';
import { createHistory } from './history.ts';

/** Relays share an outbox: what each of them may do, and that order per key survives it. */

const SOURCE = 'billing';
type Relay = ReturnType<typeof startOutboxRelay>;
let database: EventsDatabase;
let relays: Relay[];
beforeEach(async () => {
  database = await createEventsDatabase();
  relays = [];
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await database.drop();
});

function start(dispatch: OutboxRelayOptions['dispatch'], options: Partial<OutboxRelayOptions> = {}): Relay {
  const relay = startOutboxRelay({
    service: SOURCE,
    databaseUrl: database.urlFor(SOURCE),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    retentionMs: 86_400_000,
    window: 100,
    dispatch,
    ...options,
  });
  relays.push(relay);
  return relay;
}
const idle = async () => undefined;
const shards = () => relays.map((relay) => relay.shards()).sort();
const publish = (counts: readonly { userId: string; loginCount: number }[], publisher = bus) =>
  inTransaction(database.poolOf(SOURCE), (tx) => publisher.publishAll(tx, counted, counts));
const pending = async (): Promise<number> =>
  (await database.query('SELECT count(*)::int FROM billing.outbox WHERE done_at IS NULL'))[0].count;
const within = { timeout: 20_000, interval: 10 };
const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, within);

test('relays share the shards evenly, also when one joins or leaves', async () => {
  start(idle);
  await eventually(() => expect(shards()).toEqual([SHARDS]));
  start(idle);
  await eventually(() => expect(shards()).toEqual([4, 4]));
  const third = start(idle);
  await eventually(() => expect(shards()).toEqual([2, 3, 3]));
  await third.stop();
  relays.pop();
  await eventually(() => expect(shards()).toEqual([4, 4]));
});

test('each of two relays dispatches the keys of its shards, each event once', async () => {
  const dispatched: OutboxRow[][] = [[], []];
  for (const rows of dispatched) start(async (row) => void rows.push(row));
  await eventually(() => expect(shards()).toEqual([4, 4]));
  await publish(upTo(64).map((n) => ({ userId: `key-${n}`, loginCount: 1 })));
  await eventually(async () => expect(await pending()).toBe(0));
  const keys = dispatched.map((rows) => rows.map(({ key }) => key));
  expect(keys.flat().sort()).toEqual(
    upTo(64)
      .map((n) => `key-${n}`)
      .sort(),
  );
  expect(Math.min(...keys.map(({ length }) => length))).toBeGreaterThan(10);
});

test('a relay of the release before and one with shards are never active together', async () => {
  const old = new pg.Client({ connectionString: database.urlFor(SOURCE) });
  await old.connect();
  try {
    await old.query(`SELECT pg_advisory_lock(hashtextextended('casewatch outbox billing', 0))`);
    const relay = start(idle);
    const waiting = () =>
      database.query(`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock_shared%'`);
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    expect(relay.shards()).toBe(0);
    await old.query('SELECT pg_advisory_unlock_all()');
    await eventually(() => expect(relay.shards()).toBe(SHARDS));
    const { rows } = await old.query(
      `SELECT pg_try_advisory_lock(hashtextextended('casewatch outbox billing', 0)) AS locked`,
    );
    expect(rows).toEqual([{ locked: false }]);
  } finally {
    await old.end();
  }
});

test('a commit with events notifies nothing: no commit waits for another', async () => {
  const listener = new pg.Client({ connectionString: database.urlFor(SOURCE) });
  await listener.connect();
  const heard: (string | undefined)[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload));
  try {
    await listener.query('LISTEN outbox_billing');
    await publish([{ userId: 'a', loginCount: 1 }]);
    await database.query(`SELECT pg_notify('outbox_billing', 'after it')`);
    await eventually(() => expect(heard).toContain('after it'));
    expect(heard).toEqual(['after it']);
  } finally {
    await listener.end();
  }
});

test('a hint has the relay of the process poll soon; of many hints at once the other processes get one', async () => {
  const clock = createManualClock();
  const hints = createOutboxHints();
  const publisher = createOutboxPublisher({ clock, publishing: () => hints.publishing(SOURCE) });
  const dispatched: string[] = [];
  start(async ({ key }) => void dispatched.push(key), { clock, hints });
  await eventually(() => expect(shards()).toEqual([SHARDS]));
  start(idle);
  await eventually(() => expect(shards()).toEqual([4, 4]));
  const listener = new pg.Client({ connectionString: database.urlFor(SOURCE) });
  await listener.connect();
  let heard = 0;
  listener.on('notification', () => heard++);
  try {
    await listener.query('LISTEN outbox_billing');
    for (const n of upTo(32)) await publish([{ userId: `key-${n}`, loginCount: 1 }], publisher);
    expect(dispatched).toEqual([]);
    await clock.advance(5);
    await eventually(() => expect(dispatched.length).toBeGreaterThan(0));
    await eventually(() => expect(heard).toBe(1));
  } finally {
    await listener.end();
  }
});

test('a hint comes after the commit where the transaction tells of it, else at once', async () => {
  let hints = 0;
  const publisher = createOutboxPublisher({ clock: systemClock, publishing: () => hints++ });
  const counts = [{ userId: 'a', loginCount: 1 }];
  await inTransaction(database.poolOf(SOURCE), async (tx) => {
    await publisher.publishAll(tx, counted, counts);
    expect(hints).toBe(0);
  });
  expect(hints).toBe(1);
  await publisher.publishAll(poolExecutor(database.poolOf(SOURCE)), counted, counts);
  expect(hints).toBe(2);
});

test('a slow relay that has lost its shards dispatches what it loaded before, and order per key holds', async () => {
  const history = createHistory();
  const slow = gate();
  let loaded = 0;
  const first = start(async (row) => {
    loaded++;
    await slow.opened;
    history.append('slow', row);
  });
  await publish(upTo(5).map((loginCount) => ({ userId: 'a', loginCount })));
  await eventually(() => expect(loaded).toBe(5));
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'casewatch-relay-billing'`,
  );
  start(async (row) => history.append('next', row));
  await publish([6, 7].map((loginCount) => ({ userId: 'a', loginCount })));
  await eventually(() => expect(history.of('next')).toHaveLength(7));
  slow.open();
  await eventually(() => expect(history.of('slow')).toHaveLength(5));
  expect(history.violations({ a: 7 })).toEqual([]);
  await eventually(async () => expect(await pending()).toBe(0));
  expect(first.shards() + (relays[1]?.shards() ?? 0)).toBeGreaterThan(0);
});

test('a history of two relays whose connections are cut again and again: nothing is missing, every key in order', async () => {
  const history = createHistory();
  const keys = upTo(24).map((n) => `key-${n}`);
  const perKey = 40;
  const sink = (name: string): OutboxRelayOptions['dispatch'] => {
    // In the order of the dispatches, like a broker's producer, and slow enough to be cut in the middle.
    let last = Promise.resolve();
    return (row) => {
      last = last.then(async () => {
        if (Math.random() < 0.05) await systemClock.sleep(20 * Math.random());
        history.append(name, row);
      });
      return last;
    };
  };
  start(sink('one'));
  start(sink('two'));
  const publishing = Promise.all(
    keys.map(async (userId) => {
      for (let n = 1; n <= perKey; n++) await publish([{ userId, loginCount: n }]);
    }),
  );
  let cuts = 0;
  let published = false;
  void publishing.then(() => {
    published = true;
  });
  while (!published || cuts < 5) {
    const { length } = await database.query(
      `SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'casewatch-relay-billing'
         ORDER BY random() LIMIT 1) AS relay`,
    );
    cuts += length;
    const before = history.length();
    await eventually(async () => expect(history.length() > before || (await pending()) === 0).toBe(true));
  }
  await publishing;
  await eventually(async () => expect(await pending()).toBe(0));
  expect(history.violations(Object.fromEntries(keys.map((key) => [key, perKey])))).toEqual([]);
  expect(cuts).toBeGreaterThanOrEqual(5);
});

test('the oldest pending events of a shard are read from the head of its index, however many are done', async () => {
  await database.query(
    `INSERT INTO billing.outbox (id, topic, key, payload, headers, created_at, done_at)
     SELECT gen_random_uuid(), 'topic', 'key-' || n % 500, '{}', '{}', now(), CASE WHEN n % 20 > 0 THEN now() END
     FROM generate_series(1, 60000) AS n`,
  );
  await database.query('ANALYZE billing.outbox');
  const reads = async () =>
    (
      await database.query(`SELECT idx_tup_read::int AS index, (SELECT seq_tup_read FROM pg_stat_all_tables
        WHERE relid = 'billing.outbox'::regclass)::int AS table FROM pg_stat_all_indexes
        WHERE indexrelid = 'billing.outbox_shard_waiting'::regclass`)
    )[0];
  const before = await reads();
  const blocked = gate();
  start(() => blocked.opened);
  try {
    await eventually(async () => expect((await reads()).index).toBeGreaterThan(before.index));
    const after = await reads();
    expect(after.index - before.index).toBeLessThan(2_000);
    expect(after.table).toBe(before.table);
  } finally {
    blocked.open();
  }
});

test('a relay whose session loses its settings on the way, as through a pooler, relays nothing and says what it needs', async () => {
  const url = new URL(database.urlFor(SOURCE));
  url.searchParams.set('options', '-c search_path=billing');
  const warnings: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) });
  const relay = start(idle, { databaseUrl: url.href, logger });
  await publish([{ userId: 'a', loginCount: 1 }]);
  await eventually(() => expect(warnings.join()).toContain('set DATABASE_DIRECT_URL to PostgreSQL itself'));
  expect(relay.shards()).toBe(0);
  expect(await pending()).toBe(1);
});

test('a mark that fails is made again on the next connection, and its event is not dispatched again', async () => {
  const warnings: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) });
  const dispatched: string[] = [];
  await database.query('REVOKE UPDATE ON billing.outbox FROM casewatch_billing');
  start(async ({ key }) => void dispatched.push(key), { logger });
  await publish([{ userId: 'a', loginCount: 1 }]);
  await eventually(() => expect(warnings.join()).toContain('permission denied'));
  await database.query('GRANT UPDATE ON billing.outbox TO casewatch_billing');
  await eventually(async () => expect(await pending()).toBe(0));
  expect(dispatched).toEqual(['a']);
});

test('the levels count the pending events of all shards, and know the oldest of them', async () => {
  await database.query(
    `INSERT INTO billing.outbox (id, topic, key, payload, headers, created_at, done_at)
     SELECT gen_random_uuid(), 'topic', 'key-' || n, '{}', '{}', '2026-01-01'::timestamptz + n * interval '1 minute',
       CASE WHEN n <= 3 THEN now() END
     FROM generate_series(1, 40) AS n`,
  );
  const levels = await waitingInOutbox(poolExecutor(database.poolOf(SOURCE)));
  expect(levels).toEqual({ waiting: 37, oldestMs: Date.parse('2026-01-01T00:04:00Z') });
});
