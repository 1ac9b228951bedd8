import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createOutboxPublisher } from '../src/outbox-publisher.ts';
import { bus, counted, gate } from './bus-scenarios.ts';
import { createEventsDatabase, type EventsDatabase } from './events-database.ts';

let database: EventsDatabase;
beforeAll(async () => {
  database = await createEventsDatabase();
});
afterEach(() => database.query('DELETE FROM billing.outbox'));
afterAll(() => database.drop());

const batch = (keys: number, loginCount: number) =>
  Array.from({ length: keys }, (_, n) => ({ userId: `user-${n}`, loginCount }));

test.each([1, 2])(
  'publishing %i events fails with the write that fails, and gives no hint',
  async (events) => {
    const publishing = vi.fn();
    const { publishAll } = createOutboxPublisher({ clock: createManualClock(), publishing });
    const tx: SqlExecutor = { query: () => Promise.reject(new Error('the disk is full')) };
    const payloads = Array.from({ length: events }, (_, n) => ({ userId: `user-${n}`, loginCount: 1 }));
    await expect(publishAll(tx, counted, payloads)).rejects.toThrow('the disk is full');
    expect(publishing).not.toHaveBeenCalled();
  },
);

test.each([1, 2])(
  'each of %i events is stored with its id, its time and all of its headers',
  async (events) => {
    const clock = createManualClock();
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
    const { publishAll } = createOutboxPublisher({
      clock,
      tracing: { ...noTracing, traceparent: () => traceparent },
    });
    const time = new Date(clock.nowMs());
    await database.transaction('admin-log', async (tx) => {
      await publishAll(tx, counted, batch(events, 1));
      const rows = await tx.query<{ id: string }>(
        'SELECT id, topic, key, payload, headers, created_at FROM outbox ORDER BY seq DESC LIMIT $1',
        [events],
      );
      expect(rows.toReversed()).toEqual(
        batch(events, 1).map((payload, n) => ({
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
          topic: counted.name,
          key: payload.userId,
          payload,
          headers: {
            ce_id: rows.at(-1 - n)?.id,
            ce_source: '/casewatch/admin-log',
            ce_specversion: '1.0',
            ce_time: time.toISOString(),
            ce_type: counted.type,
            'content-type': 'application/json',
            traceparent,
          },
          created_at: time,
        })),
      );
    });
  },
);

test.each([1, 2])(
  'publishing %i events that wait for another transaction numbers them after all of its events',
  async (events) => {
    const first = gate();
    const published: number[] = [];
    const holding = database.transaction('billing', async (tx) => {
      await bus.publish(tx, counted, { userId: 'user-0', loginCount: 1 });
      published.push(1);
      await first.opened;
      await bus.publish(tx, counted, { userId: 'user-0', loginCount: 2 });
    });
    await expect.poll(() => published).toEqual([1]);
    const waiting = database.transaction('billing', (tx) => bus.publishAll(tx, counted, batch(events, 3)));
    await expect
      .poll(() =>
        database.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`),
      )
      .toHaveLength(1);
    first.open();
    await Promise.all([holding, waiting]);
    const rows = await database.query(
      `SELECT payload->'loginCount' AS n FROM billing.outbox WHERE key = 'user-0' ORDER BY seq`,
    );
    expect(rows.map(({ n }) => n)).toEqual([1, 2, 3]);
  },
);

test('a transaction takes a bounded number of locks, however many keys its events have', async () => {
  const locks = await database.transaction('surveys', async (tx) => {
    await bus.publishAll(tx, counted, batch(5_000, 1));
    return tx.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`, []);
  });
  expect(locks.length).toBeLessThanOrEqual(1_000);
  expect(await database.query('SELECT 1 FROM surveys.outbox')).toHaveLength(5_000);
});

test('order per key holds between a very large batch and the transactions before and after it', async () => {
  const [first, large] = [gate(), gate()];
  const waiting = async () => {
    // Databases made from one template number their tables alike.
    const sql = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'billing.outbox'::regclass
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    return (await database.query(sql)).length;
  };
  const published: number[] = [];
  const publish = (loginCount: number, until: Promise<void>, keys: number) =>
    database.transaction('billing', async (tx) => {
      await bus.publishAll(tx, counted, batch(keys, loginCount));
      published.push(loginCount);
      await until;
    });
  const transactions = [publish(1, first.opened, 1)];
  await expect.poll(() => published).toEqual([1]);
  transactions.push(publish(2, large.opened, 2_000));
  await expect.poll(waiting).toBe(1);
  first.open();
  await expect.poll(() => published).toEqual([1, 2]);
  transactions.push(publish(3, Promise.resolve(), 1));
  await expect.poll(waiting).toBe(1);
  large.open();
  await Promise.all(transactions);
  const rows = await database.query(
    `SELECT payload->'loginCount' AS n FROM billing.outbox WHERE key = 'user-0' ORDER BY seq`,
  );
  expect(rows.map(({ n }) => n)).toEqual([1, 2, 3]);
});
