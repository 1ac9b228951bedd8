import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordNotifications } from '../src/data/record-notifications.ts';
import {
  CALL,
  type NotificationsFixture,
  newUserId,
  RECEIPT,
  startNotifications,
} from './notifications-fixture.ts';
import type { StreamReader } from './stream-reader.ts';

const HEARTBEAT_MS = 20_000;

let notifications: NotificationsFixture;
beforeEach(async () => {
  notifications = await startNotifications();
});
afterEach(() => notifications.stop());

/** A stream of the user that is past its first event. */
async function follow(userId: string, lastEventId?: string): Promise<StreamReader> {
  const stream = await notifications.stream(userId, lastEventId === undefined ? {} : { lastEventId });
  expect((await stream.next())?.event).toBe('ready');
  return stream;
}

test('a stream forbids caching, transformation and buffering', async () => {
  const { headers } = await notifications.stream(newUserId());
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(headers.get('cache-control')).toBe('no-store, no-transform');
  expect(headers.get('x-accel-buffering')).toBe('no');
});

test('a notification comes through every stream of its user, once and in order, and through no other', async () => {
  const [ada, bob] = [newUserId(), newUserId()];
  const [tab, phone, others] = [await follow(ada), await follow(ada), await follow(bob)];
  await notifications.statusChanged(ada, { newStatus: 'first' });
  await notifications.statusChanged(ada, { newStatus: 'second' });
  await notifications.statusChanged(bob, { newStatus: 'for Bob' });
  for (const stream of [tab, phone]) {
    expect((await stream.nextNotification()).newStatus).toBe('first');
    expect((await stream.nextNotification()).newStatus).toBe('second');
  }
  expect((await others.nextNotification()).newStatus).toBe('for Bob');
  await notifications.clock.advance(HEARTBEAT_MS);
  for (const stream of [tab, phone, others]) await stream.nextBeat();
});

test('a change of saved cases reaches every stream of its user, also of another process, and no other', async () => {
  const [ada, bob] = [newUserId(), newUserId()];
  const [tab, others] = [await follow(ada), await follow(bob)];
  const replica = await startNotifications({ database: notifications.database });
  try {
    const phone = await replica.stream(ada);
    expect((await phone.next())?.event).toBe('ready');
    await bothListen();
    await notifications.savedCasesChanged(ada);
    for (const stream of [tab, phone])
      expect(await stream.next()).toEqual({ event: 'cases-changed', id: undefined, data: {} });
    await notifications.statusChanged(bob, { newStatus: 'for Bob' });
    expect((await others.nextNotification()).newStatus).toBe('for Bob');
  } finally {
    await replica.stop();
  }
});

/** Unlike a notification, this is not sent again to a process that listens from a moment later on. */
async function bothListen(): Promise<void> {
  const listening = `
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle'
      AND application_name = 'casewatch-push-notifications' AND query LIKE 'LISTEN %'`;
  await vi.waitFor(async () => expect(await notifications.database.query(listening)).toHaveLength(2), {
    timeout: 10_000,
  });
}

test('what comes through the stream is what the list holds', async () => {
  const userId = newUserId();
  const stream = await follow(userId);
  await notifications.statusChanged(userId, { oldStatus: 'Case Was Received', newStatus: 'Déni\n\nid: 9' });
  expect(await stream.nextNotification()).toEqual((await notifications.list(userId)).items[0]);
});

test('nothing is pushed before the commit, and nothing at all of a transaction that fails', async () => {
  const userId = newUserId();
  const stream = await follow(userId);
  const inserted = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const failing = inTransaction(notifications.pool, async (tx) => {
    await push(tx, 'of a failure');
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  const committing = inTransaction(notifications.pool, async (tx) => {
    await push(tx, 'in time');
    inserted.resolve();
    await goOn.promise;
  });
  await inserted.promise;
  await notifications.clock.advance(HEARTBEAT_MS);
  await stream.nextBeat();
  goOn.resolve();
  await committing;
  expect((await stream.nextNotification()).newStatus).toBe('in time');

  async function push(tx: Parameters<typeof recordNotifications>[0], newStatus: string) {
    const handler = notifications.service.consumers.find(({ event }) => event.name === 'status-changed');
    const meta = {
      id: uuidV7(notifications.clock.nowMs()),
      timeMs: notifications.clock.nowMs(),
      traceparent: undefined,
    };
    const changedAt = new Date(0).toISOString();
    await handler?.handle({ userId, receiptNumber: RECEIPT, newStatus, changedAt }, meta, tx);
  }
});

test('of two transactions that end in the other order than they began, both notifications come', async () => {
  const userId = newUserId();
  const stream = await follow(userId);
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const slow = inTransaction(notifications.pool, async (tx) => {
    await tx.query('SELECT txid_current()', []);
    const change = {
      eventId: uuidV7(1),
      userId,
      receiptNumber: 'EAC9999100001',
      newStatus: 'begun first',
      ...CALL,
    };
    began.resolve();
    await goOn.promise;
    await recordNotifications(tx, [change], notifications.clock.nowMs());
    await tx.query(`SELECT pg_notify('push_notifications', $1)`, [userId]);
  });
  await began.promise;
  await notifications.statusChanged(userId, { newStatus: 'committed first' });
  expect((await stream.nextNotification()).newStatus).toBe('committed first');
  goOn.resolve();
  await slow;
  expect((await stream.nextNotification()).newStatus).toBe('begun first');
});

test('while one transaction numbers a user’s notifications, another waits, so that no number appears late', async () => {
  const userId = newUserId();
  const stream = await follow(userId);
  const inserted = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const first = inTransaction(notifications.pool, async (tx) => {
    const change = {
      eventId: uuidV7(1),
      userId,
      receiptNumber: 'EAC9999100001',
      newStatus: 'first',
      ...CALL,
    };
    await recordNotifications(tx, [change], notifications.clock.nowMs());
    await tx.query(`SELECT pg_notify('push_notifications', $1)`, [userId]);
    inserted.resolve();
    await goOn.promise;
  });
  await inserted.promise;
  const second = notifications.statusChanged(userId, { newStatus: 'second' });
  await expect
    .poll(() =>
      notifications.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      ),
    )
    .not.toEqual([]);
  goOn.resolve();
  await Promise.all([first, second]);
  expect((await stream.nextNotification()).newStatus).toBe('first');
  expect((await stream.nextNotification()).newStatus).toBe('second');
});

test('a stream that was broken off continues after the last event that arrived', async () => {
  const userId = newUserId();
  await notifications.statusChanged(userId, { newStatus: 'before' });
  const stream = await follow(userId);
  await notifications.statusChanged(userId, { newStatus: 'seen' });
  const seen = await stream.next();
  await stream.close();
  await notifications.statusChanged(userId, { newStatus: 'missed 1' });
  await notifications.statusChanged(userId, { newStatus: 'missed 2' });
  const again = await follow(userId, seen?.id ?? '');
  expect((await again.nextNotification()).newStatus).toBe('missed 1');
  expect((await again.nextNotification()).newStatus).toBe('missed 2');
});

test('a stream can also be resumed by its address, which a new page does', async () => {
  const userId = newUserId();
  const ready = await (await notifications.stream(userId)).next();
  await notifications.statusChanged(userId, { newStatus: 'missed' });
  const again = await notifications.stream(userId, { query: `?after=${ready?.id}` });
  expect((await again.next())?.event).toBe('ready');
  const missed = await again.next();
  expect(missed?.data).toMatchObject({ newStatus: 'missed' });
  // When its browser reconnects, the address is still the one of the beginning.
  await again.close();
  await notifications.statusChanged(userId, { newStatus: 'later' });
  const options = { lastEventId: missed?.id ?? '', query: `?after=${ready?.id}` };
  const reconnected = await notifications.stream(userId, options);
  expect((await reconnected.next())?.event).toBe('ready');
  expect((await reconnected.nextNotification()).newStatus).toBe('later');
});

test('a stream without a last event begins with what comes next', async () => {
  const userId = newUserId();
  await notifications.statusChanged(userId, { newStatus: 'in the list' });
  const stream = await follow(userId);
  await notifications.statusChanged(userId, { newStatus: 'new' });
  expect((await stream.nextNotification()).newStatus).toBe('new');
});

test('up to 100 missed notifications are sent again; beyond that the client gets a signal to fetch the list', async () => {
  const userId = newUserId();
  const add = (count: number) =>
    inTransaction(notifications.pool, (tx) =>
      recordNotifications(
        tx,
        Array.from({ length: count }, (_, nth) => ({
          eventId: uuidV7(notifications.clock.nowMs()),
          userId,
          receiptNumber: RECEIPT,
          newStatus: `status ${nth}`,
          ...CALL,
        })),
        notifications.clock.nowMs(),
      ),
    );
  const ready = await (await notifications.stream(userId)).next();
  await add(100);
  const all = await follow(userId, ready?.id ?? '');
  for (let nth = 0; nth < 100; nth++) expect((await all.nextNotification()).newStatus).toBe(`status ${nth}`);
  await add(1);
  const tooFar = await notifications.stream(userId, { lastEventId: ready?.id ?? '' });
  expect(await tooFar.next()).toEqual({ event: 'reset', id: '101', data: {} });
  await notifications.statusChanged(userId, { newStatus: 'afterwards' });
  expect((await tooFar.nextNotification()).newStatus).toBe('afterwards');
});

test('however many come at once, all of them come, in order', async () => {
  const userId = newUserId();
  const stream = await follow(userId);
  const changes = Array.from({ length: 250 }, (_, nth) => ({
    eventId: uuidV7(notifications.clock.nowMs()),
    userId,
    receiptNumber: RECEIPT,
    newStatus: `status ${nth}`,
    ...CALL,
  }));
  await inTransaction(notifications.pool, async (tx) => {
    await recordNotifications(tx, changes, notifications.clock.nowMs());
    await tx.query(`SELECT pg_notify('push_notifications', $1)`, [userId]);
  });
  for (const { newStatus } of changes) expect((await stream.nextNotification()).newStatus).toBe(newStatus);
});

test.each(['7', '-1', '1.5', 'x', '99999999999'])(
  'a last event of another world (%s) is a reset',
  async (lastEventId) => {
    const stream = await notifications.stream(newUserId(), { lastEventId });
    expect((await stream.next())?.event).toBe('reset');
  },
);

test('a stream lasts for hours and ends at a random time of the second half, asking the browser to reconnect at once', async () => {
  const HOUR_MS = 3_600_000;
  const streams = await Promise.all(Array.from({ length: 8 }, () => follow(newUserId())));
  const ended = () => streams.filter((stream) => stream.retryMs() === 100).length;
  for (const stream of streams) expect(stream.retryMs()).toBeGreaterThanOrEqual(1_000);
  await notifications.clock.advance(2 * HOUR_MS - 1_000);
  for (const stream of streams) await stream.nextBeat();
  expect(ended()).toBe(0);
  await notifications.clock.advance(2 * HOUR_MS + 1_000);
  for (const stream of streams) expect(await stream.next()).toBeUndefined();
  expect(ended()).toBe(8);
});

test('one stream too many of a user ends the oldest, with a long retry delay', async () => {
  await notifications.stop();
  notifications = await startNotifications({ env: { NOTIFICATION_STREAMS_PER_USER: '2' } });
  const userId = newUserId();
  const [oldest, second] = [await follow(userId), await follow(userId)];
  const other = await follow(newUserId());
  const newest = await follow(userId);
  expect((await oldest.next())?.event).toBe('replaced');
  expect(await oldest.next()).toBeUndefined();
  expect(oldest.retryMs()).toBe(60_000);
  await notifications.statusChanged(userId);
  for (const stream of [second, newest]) await stream.nextNotification();
  await notifications.clock.advance(HEARTBEAT_MS);
  await other.nextBeat();
});

test('one stream too many for the process is asked to come back later, with a status after which browsers do', async () => {
  await notifications.stop();
  notifications = await startNotifications({ env: { NOTIFICATION_STREAMS: '1' } });
  const first = await follow(newUserId());
  const refused = await notifications.stream(newUserId());
  expect(await refused.next()).toBeUndefined();
  expect(refused.retryMs()).toBeGreaterThanOrEqual(15_000);
  expect(refused.retryMs()).toBeLessThanOrEqual(30_000);
  await first.close();
  await expect
    .poll(async () => (await (await notifications.stream(newUserId())).next())?.event)
    .toBe('ready');
});
