import { EventEmitter } from 'node:events';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { createMovedClock } from '@casewatch/testing/moved-clock';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutboxPublisher } from '../src/outbox-publisher.ts';
import { type OutboxHints, type OutboxRelayOptions, startOutboxRelay } from '../src/outbox-relay.ts';
import { waitingInOutbox } from '../src/outbox-rows.ts';
import { bus, counted, gate, upTo } from './bus-scenarios.ts';
import { createEventsDatabase, type EventsDatabase } from './events-database.ts';
import { createHistory } from './history.ts';

/** Of the relays of an outbox one is active; order per key survives whatever happens to it. */

const SOURCE = 'billing';
type Relay = ReturnType<typeof startOutboxRelay>;
let database: EventsDatabase;
let relays: Relay[];
/** Opened at the end of each test, for dispatches that are in flight until then. */
let blocked: ReturnType<typeof gate>;
beforeEach(async () => {
  database = await createEventsDatabase();
  relays = [];
  blocked = gate();
});
afterEach(async () => {
  blocked.open();
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
const noop = async () => undefined;
const active = () => relays.map((relay) => relay.isActive());
const publish = (counts: readonly { userId: string; loginCount: number }[], publisher = bus) =>
  inTransaction(database.poolOf(SOURCE), (tx) => publisher.publishAll(tx, counted, counts));
const pending = async (): Promise<number> =>
  (await database.query('SELECT count(*)::int FROM billing.outbox WHERE done_at IS NULL'))[0].count;
/** Ends the connections of relays as the server does when it restarts. Resolves to how many. */
const cut = async (limit = 10): Promise<number> =>
  (
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'casewatch-relay-billing'
         ORDER BY random() LIMIT $1) AS relay`,
      [limit],
    )
  ).length;
const within = { timeout: 20_000, interval: 10 };
const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, within);

test('one relay dispatches each event once, and the others none; when it stops, another continues', async () => {
  const dispatched: string[][] = [[], [], []];
  for (const keys of dispatched) start(async ({ key }) => void keys.push(key));
  await eventually(() => expect(active().filter(Boolean)).toHaveLength(1));
  const keys = upTo(64).map((n) => `key-${n}`);
  await publish(keys.map((userId) => ({ userId, loginCount: 1 })));
  await eventually(async () => expect(await pending()).toBe(0));
  const first = active().indexOf(true);
  expect(dispatched.map((each) => each.toSorted())).toEqual(
    dispatched.map((_, index) => (index === first ? keys.toSorted() : [])),
  );

  await relays[first]?.stop();
  await publish([{ userId: 'next', loginCount: 1 }]);
  await eventually(async () => expect(await pending()).toBe(0));
  const second = active().indexOf(true);
  expect(second).not.toBe(first);
  expect(dispatched[second]).toEqual(['next']);
});

test('R2: what a relay that lost its connection had not published, the next one does', async () => {
  const clock = createManualClock();
  await publish(upTo(5).map((n) => ({ userId: `key-${n}`, loginCount: 1 })));
  // By its clock it never connects again.
  start(() => blocked.opened, { clock });
  await eventually(() => expect(active()).toEqual([true]));
  const dispatched: string[] = [];
  start(async ({ key }) => void dispatched.push(key));
  await cut();
  await eventually(async () => expect(await pending()).toBe(0));
  expect(dispatched.toSorted()).toEqual(upTo(5).map((n) => `key-${n}`));
  expect(active()).toEqual([false, true]);
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

test('a hint has the relay of the process poll soon', async () => {
  const clock = createManualClock();
  const hints: OutboxHints = new EventEmitter();
  const publisher = createOutboxPublisher({ clock, publishing: () => hints.emit(SOURCE) });
  const dispatched: string[] = [];
  await publish([{ userId: 'first', loginCount: 1 }]);
  start(async ({ key }) => void dispatched.push(key), { clock, hints });
  // The relay polls when it becomes active; after that the clock decides.
  await eventually(async () => expect(await pending()).toBe(0));
  for (const n of upTo(32)) await publish([{ userId: `key-${n}`, loginCount: 1 }], publisher);
  expect(dispatched).toEqual(['first']);
  await clock.advance(2);
  await eventually(() => expect(dispatched).toHaveLength(33));
});

test('a hint comes after the commit where the transaction reports it, else at once', async () => {
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

test('a relay that was replaced dispatches what it loaded before, and order per key holds', async () => {
  const history = createHistory();
  const slow = gate();
  const clock = createManualClock();
  let loaded = 0;
  await publish(upTo(5).map((loginCount) => ({ userId: 'a', loginCount })));
  const dispatch: OutboxRelayOptions['dispatch'] = async (row) => {
    loaded++;
    await slow.opened;
    history.append('slow', row);
  };
  start(dispatch, { clock });
  await eventually(() => expect(loaded).toBe(5));
  await cut();
  start(async (row) => history.append('next', row));
  await publish([6, 7].map((loginCount) => ({ userId: 'a', loginCount })));
  await eventually(() => expect(history.of('next')).toHaveLength(7));
  slow.open();
  await eventually(() => expect(history.of('slow')).toHaveLength(5));
  // It connects again, stands by, and marks what it had in flight.
  await clock.advance(500);
  await publish([{ userId: 'a', loginCount: 8 }]);
  await eventually(async () => expect(await pending()).toBe(0));
  expect(history.violations({ a: 8 })).toEqual([]);
  expect(active()).toEqual([false, true]);
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
    cuts += await cut(1);
    const before = history.length();
    await eventually(async () => expect(history.length() > before || (await pending()) === 0).toBe(true));
  }
  await publishing;
  await eventually(async () => expect(await pending()).toBe(0));
  expect(history.violations(Object.fromEntries(keys.map((key) => [key, perKey])))).toEqual([]);
  expect(cuts).toBeGreaterThanOrEqual(5);
});

test('the oldest pending events of each topic are read from the head of the index, however many are done', async () => {
  await database.query(
    `INSERT INTO billing.outbox (id, topic, key, payload, headers, created_at, done_at)
     SELECT gen_random_uuid(), 'topic-' || n % 7, 'key-' || n % 500, '{}', '{}', now(), CASE WHEN n % 20 > 0 THEN now() END
     FROM generate_series(1, 60000) AS n`,
  );
  await database.query('ANALYZE billing.outbox');
  const reads = async () =>
    (
      await database.query(`SELECT idx_tup_read::int AS index, (SELECT seq_tup_read FROM pg_stat_all_tables
        WHERE relid = 'billing.outbox'::regclass)::int AS table FROM pg_stat_all_indexes
        WHERE indexrelid = 'billing.outbox_pending'::regclass`)
    )[0];
  const before = await reads();
  start(() => blocked.opened);
  await eventually(async () => expect((await reads()).index).toBeGreaterThan(before.index));
  const after = await reads();
  expect(after.index - before.index).toBeLessThan(2_000);
  expect(after.table).toBe(before.table);
});

test('a relay whose session loses its settings on the way, as through a pooler, relays nothing and says what it needs', async () => {
  const url = new URL(database.urlFor(SOURCE));
  url.searchParams.set('options', '-c search_path=billing');
  const warnings: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) });
  const relay = start(noop, { databaseUrl: url.href, logger });
  await publish([{ userId: 'a', loginCount: 1 }]);
  await eventually(() => expect(warnings.join()).toContain('set DATABASE_DIRECT_URL to PostgreSQL itself'));
  expect(relay.isActive()).toBe(false);
  expect(await pending()).toBe(1);
});

test('what was done long ago is deleted every hour, also after the clock was set back', async () => {
  const clock = createMovedClock();
  start(noop, { clock });
  await eventually(() => expect(active()).toEqual([true]));
  await publish([{ userId: 'a', loginCount: 1 }]);
  await eventually(async () => expect(await pending()).toBe(0));
  await database.query(`UPDATE billing.outbox SET done_at = '2000-01-01'`);
  clock.move(-10 * 365 * 86_400_000);
  await eventually(async () => {
    clock.move(3_600_000);
    expect(await database.query('SELECT FROM billing.outbox')).toEqual([]);
  });
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

test('the levels count the pending events of all topics, and report the oldest of them', async () => {
  await database.query(
    `INSERT INTO billing.outbox (id, topic, key, payload, headers, created_at, done_at)
     SELECT gen_random_uuid(), 'topic-' || (40 - n) % 3, 'key-' || n, '{}', '{}', '2026-01-01'::timestamptz + n * interval '1 minute',
       CASE WHEN n <= 3 THEN now() END
     FROM generate_series(1, 40) AS n`,
  );
  const levels = await waitingInOutbox(poolExecutor(database.poolOf(SOURCE)));
  expect(levels).toEqual({ waiting: 37, oldestMs: Date.parse('2026-01-01T00:04:00Z') });
});
