import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultPolicy } from '../src/delivery-policy.ts';
import { defineBatchHandler } from '../src/event-bus.ts';
import type { EventRecord } from '../src/event-record.ts';
import { ConsumerStopped, createGroupConsumer } from '../src/group-consumer.ts';
import { batchRecorder, counted, perKey, quick, recorder, upTo } from './bus-scenarios.ts';
import { createEventsDatabase, type EventsDatabase } from './events-database.ts';

let database: EventsDatabase;
beforeAll(async () => {
  database = await createEventsDatabase();
});
afterAll(() => database.drop());

const KEYS = ['a', 'b', 'c'];
const EACH = 4;

/** Deliveries of every event, in order within a key, where each stretch of a key may come again at any time. */
const schedules = fc
  .array(fc.record({ key: fc.constantFrom(...KEYS), back: fc.nat({ max: EACH }) }), { maxLength: 24 })
  .map((steps) => {
    const next: Record<string, number> = Object.fromEntries(KEYS.map((key) => [key, 1]));
    const deliveries: { key: string; n: number }[] = [];
    const rest = KEYS.flatMap((key) => upTo(EACH).map(() => ({ key, back: 0 })));
    for (const { key, back } of [...steps, ...rest]) {
      // A redelivery starts over from an earlier event of the key and continues in order, as brokers do.
      const from = Math.max(1, (next[key] ?? 1) - back);
      if (from > EACH) continue;
      deliveries.push({ key, n: from });
      next[key] = from + 1;
    }
    return deliveries;
  });

test('R4: however often and in whatever order between keys events come again, the end state is the same', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (deliveries) => {
      await database.transaction('notifications', (tx) => tx.query('DELETE FROM effects', []));
      const ids = new Map(KEYS.flatMap((key) => upTo(EACH).map((n) => [`${key}${n}`, uuidV7(Date.now())])));
      const consumer = createGroupConsumer({
        group: 'notifications',
        handlers: [recorder('notifications')],
        pool: database.poolOf('notifications'),
        clock: systemClock,
        logger: pino({ level: 'silent' }),
        policy: { ...defaultPolicy, ...quick },
      });
      await Promise.all(
        deliveries.map(({ key, n }) => consumer.dispatch(recordOf(ids.get(`${key}${n}`) ?? '', key, n))),
      );
      await consumer.stop();
      expect(perKey(await database.effects('notifications'))).toEqual(
        Object.fromEntries(KEYS.map((key) => [key, upTo(EACH)])),
      );
    }),
    { numRuns: 20 },
  );
});

test('an event that is delivered twice in one batch is handled once', async () => {
  await database.transaction('notifications', (tx) => tx.query('DELETE FROM effects', []));
  const sizes: number[] = [];
  const consumer = createGroupConsumer({
    group: 'notifications',
    handlers: [batchRecorder('notifications', (batch) => sizes.push(batch.length))],
    pool: database.poolOf('notifications'),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    policy: { ...defaultPolicy, ...quick },
  });
  // As a broker has them whose answer to the sender was lost.
  const events = upTo(3).map((n) => recordOf(uuidV7(Date.now()), 'a', n));
  await Promise.all([...events, ...events].map(consumer.dispatch));
  await consumer.stop();
  expect(sizes).toEqual([3]);
  expect(perKey(await database.effects('notifications'))).toEqual({ a: upTo(3) });
});

test('a handler is notified after each commit, again for events that come again, and its failure fails none', async () => {
  const signaled: string[][] = [];
  const handled: string[] = [];
  const handler = defineBatchHandler(
    'notifications',
    counted,
    async (events) => {
      if (events.some(({ payload }) => payload.loginCount === 3)) throw new Error('not this one');
      handled.push(...events.map(({ payload }) => `${payload.userId}${payload.loginCount}`));
    },
    (payloads) => {
      signaled.push(payloads.map(({ userId, loginCount }) => `${userId}${loginCount}`));
      if (payloads.some(({ loginCount }) => loginCount === 2)) throw new Error('no signal');
    },
  );
  const consumer = createGroupConsumer({
    group: 'notifications',
    handlers: [handler],
    pool: database.poolOf('notifications'),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    policy: { ...defaultPolicy, ...quick, retryDelaysMs: [] },
  });
  const [once, twice, failing] = [1, 2, 3].map((n) => recordOf(uuidV7(Date.now()), 'x', n));
  if (!once || !twice || !failing) throw new Error('three events');
  await consumer.dispatch(once);
  await consumer.dispatch(twice);
  await consumer.dispatch(failing);
  await consumer.dispatch(once);
  expect(consumer.state().deadLettered).toBe(1);
  expect(handled).toEqual(['x1', 'x2']);
  expect(signaled).toEqual([['x1'], ['x2'], ['x1']]);
  await consumer.stop();
});

/** A consumer by the default policy, by a clock whose sleeps take no time and are noted. */
function consumerWithoutWaits(handle: () => void) {
  const slept: number[] = [];
  const clock = { nowMs: Date.UTC(2026, 0, 5) };
  const consumer = createGroupConsumer({
    group: 'notifications',
    handlers: [recorder('notifications', handle)],
    pool: database.poolOf('notifications'),
    clock: { nowMs: () => clock.nowMs, sleep: async (ms) => void slept.push(ms) },
    logger: pino({ level: 'silent' }),
    policy: defaultPolicy,
  });
  return { consumer, slept, clock };
}
const UNAVAILABLE = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test('by default an event is tried five times within seven seconds', async () => {
  const { consumer, slept } = consumerWithoutWaits(() => {
    throw new Error('a defect');
  });
  await consumer.dispatch(recordOf(uuidV7(Date.now()), 'y', 1));
  expect(slept).toEqual([100, 400, 1_500, 5_000]);
  expect(consumer.state()).toMatchObject({ deadLettered: 1, sincePauseMs: undefined, waiting: 0 });
  await consumer.stop();
});

test('by default an unavailable dependency is retried after 100 ms to five seconds, without limit', async () => {
  const failures = [...Array<Error>(8).fill(UNAVAILABLE), new Error('a defect'), UNAVAILABLE, UNAVAILABLE];
  const { consumer, slept } = consumerWithoutWaits(() => {
    const failure = failures.shift();
    if (failure) throw failure;
  });
  await consumer.dispatch(recordOf(uuidV7(Date.now()), 'z', 1));
  // A failure that is the event's own is its first, and the wait for the dependency begins anew.
  expect(slept).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 100, 100, 200]);
  expect(consumer.state()).toMatchObject({ deadLettered: 0, sincePauseMs: 0, waiting: 0 });
  await consumer.stop();
});

test('it is known how long ago a dependency was unavailable, also after the clock was set back', async () => {
  const failures = [UNAVAILABLE];
  const { consumer, clock } = consumerWithoutWaits(() => {
    const failure = failures.shift();
    if (failure) throw failure;
  });
  await consumer.dispatch(recordOf(uuidV7(Date.now()), 'z', 1));
  clock.nowMs -= 3_600_000;
  expect(consumer.state()).toMatchObject({ sincePauseMs: 0 });
  clock.nowMs += 31_000;
  expect(consumer.state()).toMatchObject({ sincePauseMs: 31_000 });
  await consumer.stop();
});

test('a consumer that has stopped refuses events: they are to be dispatched again', async () => {
  const { consumer } = consumerWithoutWaits(() => undefined);
  expect(consumer.topics).toEqual([counted.name]);
  await consumer.stop();
  await expect(consumer.dispatch(recordOf(uuidV7(Date.now()), 'z', 1))).rejects.toBeInstanceOf(
    ConsumerStopped,
  );
});

test('one group has one handler per event', () => {
  const twice = [recorder('notifications'), recorder('notifications')];
  const pool = database.poolOf('notifications');
  const logger = pino({ level: 'silent' });
  expect(() =>
    createGroupConsumer({
      group: 'notifications',
      handlers: twice,
      pool,
      clock: systemClock,
      logger,
      policy: defaultPolicy,
    }),
  ).toThrow('notifications has two handlers of user-logged-in');
});

function recordOf(id: string, key: string, n: number): EventRecord {
  return { id, topic: counted.name, key, payload: { userId: key, loginCount: n }, headers: {} };
}
