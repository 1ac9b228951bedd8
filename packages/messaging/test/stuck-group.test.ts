import type { PayloadOf } from '@casewatch/contracts/event-type';
import { userSignedUp } from '@casewatch/contracts/events';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BusOptions } from '../src/bus-parts.ts';
import { defineHandler, type EventHandler } from '../src/event-bus.ts';
import { startInProcessBus } from '../src/in-process-bus.ts';
import { bus, counted, gate, perKey, quick, recorder, upTo } from './bus-scenarios.ts';
import { createEventsDatabase, type EventsDatabase, RELAYED } from './events-database.ts';
import { untilIdle } from './in-process-harness.ts';

/** In one process a group that is stuck holds up no other, also not those of its own topics, and takes a bounded amount of memory. */

const WINDOW = 40;
let database: EventsDatabase;
let buses: Awaited<ReturnType<typeof startInProcessBus>>[];
let release: ReturnType<typeof gate>;
beforeEach(async () => {
  database = await createEventsDatabase();
  buses = [];
  release = gate();
});
afterEach(async () => {
  release.open();
  await Promise.all(buses.map((each) => each.stop()));
  await database.drop();
});

async function start(handlers: readonly EventHandler[], options: Partial<BusOptions> = {}) {
  const started = await startInProcessBus({
    logger: pino({ level: 'silent' }),
    clock: systemClock,
    sources: RELAYED.map((service) => ({ service, databaseUrl: database.urlFor(service) })),
    databaseUrlFor: database.urlFor,
    handlers,
    policy: quick,
    ...options,
  });
  buses.push(started);
  return started;
}
const publish = (keys: readonly string[], loginCount = 1) =>
  database.transaction('billing', (tx) =>
    bus.publishAll(
      tx,
      counted,
      keys.map((userId) => ({ userId, loginCount })),
    ),
  );
const manyKeys = (count: number) => upTo(count).map((n) => `key-${n}`);
const effects = async (group: 'notifications' | 'admin-log') => perKey(await database.effects(group));
const handled = async (group: 'notifications' | 'admin-log') => (await database.effects(group)).length;
const done = async (): Promise<number> =>
  (await database.query('SELECT count(*)::int FROM billing.outbox WHERE done_at IS NOT NULL'))[0].count;
const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 15_000, interval: 10 });

/** An event of another type. */
const other: PayloadOf<typeof userSignedUp> = {
  userId: 'other',
  email: 'a@example.com',
  firstName: 'A',
  lastName: 'B',
};
const otherRecorder = (group: 'notifications' | 'admin-log') =>
  defineHandler(group, userSignedUp, async ({ userId }, meta, tx) => {
    await tx.query('INSERT INTO effects (event_id, key, n) VALUES ($1, $2, 1)', [meta.id, userId]);
  });
const publishOther = () => database.transaction('billing', (tx) => bus.publish(tx, userSignedUp, other));

const UNAVAILABLE = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const WAYS: Record<string, () => Promise<void>> = {
  'throws, since it is unavailable,': () => Promise.reject(UNAVAILABLE),
  hangs: () => release.opened,
  'is slow': () => Promise.race([release.opened, systemClock.sleep(2_000)]),
};
const stuckGroup = (way: string) => recorder('admin-log', () => WAYS[way]?.());

test('with 600 events waiting for an unavailable group, an event of another type is handled by another group', async () => {
  const started = await start([
    stuckGroup('throws, since it is unavailable,'),
    otherRecorder('notifications'),
  ]);
  await publish(manyKeys(600));
  await eventually(async () => {
    const { groups } = await started.levels();
    expect(groups).toMatchObject([{ group: 'admin-log', lag: 600 }, {}]);
  });
  await publishOther();
  await eventually(async () => expect(await effects('notifications')).toEqual({ other: [1] }));
});

test.each(Object.keys(WAYS))('a group that %s holds up no other group of its topic', async (way) => {
  await start([stuckGroup(way), recorder('notifications')], { window: WINDOW });
  await publish(manyKeys(200));
  await eventually(async () => expect(await handled('notifications')).toBe(200));
  await publish(manyKeys(200), 2);
  await eventually(async () => expect(await handled('notifications')).toBe(400));
  expect(await effects('notifications')).toEqual(
    Object.fromEntries(manyKeys(200).map((key) => [key, [1, 2]])),
  );
});

test('a topic of which a group is stuck holds up no other topic of that group', async () => {
  await start([stuckGroup('throws, since it is unavailable,'), otherRecorder('admin-log')], {
    window: WINDOW,
  });
  await publish(manyKeys(200));
  await publishOther();
  await eventually(async () => expect(await effects('admin-log')).toEqual({ other: [1] }));
});

test('a stuck group has no more events in memory than the window, however many are pending', async () => {
  const started = await start([stuckGroup('hangs'), recorder('notifications')], { window: WINDOW });
  await publish(manyKeys(500));
  await eventually(async () => expect(await handled('notifications')).toBe(500));
  const { groups } = await started.levels();
  expect(groups).toMatchObject([
    { group: 'admin-log', lag: WINDOW },
    { group: 'notifications', lag: 0 },
  ]);
});

test('an event is done when every group has committed, and not before', async () => {
  const started = await start([stuckGroup('hangs'), recorder('notifications')], { window: WINDOW });
  await publish(manyKeys(100));
  await eventually(async () => expect(await handled('notifications')).toBe(100));
  expect(await done()).toBe(0);
  release.open();
  await untilIdle(started);
  expect([await done(), await handled('admin-log')]).toEqual([100, 100]);
});

test('what one group has settled is not dispatched to it again by the next process, while another is stuck', async () => {
  const handlers = [stuckGroup('hangs'), recorder('notifications')];
  const first = await start(handlers, { window: WINDOW });
  await publish(manyKeys(200));
  await eventually(async () => expect(await settledByOne()).toBe(200));
  release.open();
  await first.stop();
  buses.pop();
  release = gate();
  await publish(['next']);
  const claimed: string[] = [];
  const claim: BusOptions['claim'] = async (_tx, group, ids) => {
    if (group === 'notifications') claimed.push(...ids);
    return new Set(ids);
  };
  await start(handlers, { window: WINDOW, claim });
  await eventually(async () => expect((await effects('notifications')).next).toEqual([1]));
  expect(claimed).toHaveLength(1);
});
/** Events that one group has settled and the other has not. */
const settledByOne = async (): Promise<number> =>
  (await database.query('SELECT count(*)::int FROM billing.outbox WHERE settled_by IS NOT NULL'))[0].count;

test('a group that recovers gets everything it missed, each key in order', async () => {
  let isUnavailable = true;
  const recovering = recorder('admin-log', () => {
    if (isUnavailable) throw UNAVAILABLE;
  });
  const started = await start([recovering, recorder('notifications')], { window: WINDOW });
  for (const n of [1, 2, 3, 4, 5]) await publish(manyKeys(60), n);
  await eventually(async () => expect(await handled('notifications')).toBe(300));
  isUnavailable = false;
  await untilIdle(started);
  const everything = Object.fromEntries(manyKeys(60).map((key) => [key, upTo(5)]));
  expect([await effects('admin-log'), await effects('notifications')]).toEqual([everything, everything]);
});

test('relay connections cut again and again while one group is slow: both get everything once, each key in order', async () => {
  const slow = recorder('admin-log', () => systemClock.sleep(5));
  const started = await start([slow, recorder('notifications')], { window: WINDOW });
  for (const n of upTo(5)) {
    await publish(manyKeys(40), n);
    await eventually(async () => expect(await handled('notifications')).toBe(40 * n));
    const cut = await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'casewatch-relay-billing'`,
    );
    expect(cut).toHaveLength(1);
  }
  await untilIdle(started);
  const everything = Object.fromEntries(manyKeys(40).map((key) => [key, upTo(5)]));
  expect([await effects('admin-log'), await effects('notifications')]).toEqual([everything, everything]);
});

test('an event whose last missing group no longer exists is done', async () => {
  const first = await start([stuckGroup('throws, since it is unavailable,'), recorder('notifications')], {
    window: WINDOW,
  });
  await publish(manyKeys(100));
  await eventually(async () => expect(await handled('notifications')).toBe(100));
  await first.stop();
  buses.pop();
  const second = await start([recorder('notifications')]);
  await untilIdle(second);
  expect([await done(), await handled('notifications')]).toEqual([100, 100]);
});

test('an event of which no group has a handler is done', async () => {
  const started = await start([recorder('notifications')]);
  await publishOther();
  await untilIdle(started);
  expect(await done()).toBe(1);
});
