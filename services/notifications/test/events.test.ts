import { claimInInbox } from '@casewatch/messaging/inbox';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordNotifications } from '../src/data/record-notifications.ts';
import { eraseUser } from '../src/data/user-rows.ts';
import {
  CALL,
  type NotificationsFixture,
  newUserId,
  RECEIPT,
  startNotifications,
} from './notifications-fixture.ts';

let notifications: NotificationsFixture;
let telemetry: Awaited<ReturnType<typeof startScraped>>;
beforeAll(async () => {
  telemetry = await startScraped();
  notifications = await startNotifications({ telemetry });
});
afterAll(async () => {
  await notifications.stop();
  await telemetry.stop();
});

const change = (userId: string, newStatus: string, eventId = uuidV7(notifications.clock.nowMs())) => ({
  eventId,
  userId,
  receiptNumber: RECEIPT,
  newStatus,
  ...CALL,
});
const record = (changes: ReturnType<typeof change>[]) =>
  inTransaction(notifications.pool, (tx) => recordNotifications(tx, changes, notifications.clock.nowMs()));

test('an event that comes twice, one after the other or at once, is one notification', async () => {
  const userId = newUserId();
  const id = await notifications.statusChanged(userId);
  await notifications.call('PATCH', `/api/notifications/${id}/read`, { as: { userId } });
  await Promise.all([1, 2, 3].map(() => notifications.statusChanged(userId, { id })));
  expect((await notifications.list(userId)).items).toMatchObject([{ id, read: true }]);
});

test('how long a change took to be stored after the answer is measured for the objective, in seconds', async () => {
  const measured = async () => {
    const values = await telemetry.scrape();
    return ['count', 'sum', 'bucket{le="5"}', 'bucket{le="2.5"}'].map(
      (series) => values[`casewatch_change_to_notification_seconds_${series}`] ?? 0,
    );
  };
  const before = await measured();
  const handler = notifications.service.consumers.find(({ event }) => event.name === 'status-changed');
  const nowMs = notifications.clock.nowMs();
  const events = [1_000, 4_000].map((tookMs) => ({
    json: {
      ...change(newUserId(), 'x'),
      eventId: undefined,
      // The agency took another five seconds to answer.
      changedAt: new Date(nowMs - tookMs - 5_000).toISOString(),
      answerMs: 5_000,
    },
    meta: { id: uuidV7(nowMs), timeMs: nowMs, traceparent: undefined },
  }));
  await inTransaction(notifications.pool, async (tx) => handler?.handleBatch?.(events, tx));
  const after = await measured();
  expect(after.map((value, at) => value - (before[at] ?? 0))).toEqual([2, 5, 2, 1]);
});

test('an event is one notification even when the inbox has forgotten it', async () => {
  const userId = newUserId();
  const id = await notifications.statusChanged(userId, { newStatus: 'once' });
  await notifications.database.query('DELETE FROM notifications.inbox');
  await notifications.statusChanged(userId, { id, newStatus: 'once' });
  await record([change(userId, 'once', id)]);
  expect(await notifications.statuses(userId)).toEqual(['once']);
  const rows = await notifications.database.query(
    'SELECT last_seq FROM notifications.recipients WHERE user_id = $1',
    [userId],
  );
  expect(rows).toEqual([{ last_seq: 1 }]);
});

test('an event that comes twice at the same moment is one notification even without the inbox', async () => {
  const userId = newUserId();
  const twice = change(userId, 'once');
  const first = await holdOpen((tx) => recordNotifications(tx, [twice], 0));
  const second = record([twice]);
  await waitsForLock();
  await first.commit();
  expect(await second).toEqual([]);
  expect(await notifications.statuses(userId)).toEqual(['once']);
});

test('a transaction that fails leaves neither notification nor inbox row nor number', async () => {
  const userId = newUserId();
  const eventId = uuidV7(notifications.clock.nowMs());
  const failing = inTransaction(notifications.pool, async (tx) => {
    await claimInInbox(tx, 'notifications', [eventId], 0);
    await recordNotifications(tx, [change(userId, 'lost', eventId)], 0);
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  await notifications.statusChanged(userId, { id: eventId, newStatus: 'kept' });
  expect(await notifications.statuses(userId)).toEqual(['kept']);
});

test('events that come together become notifications in their order, each once, each for its user', async () => {
  const [ada, bob] = [newUserId(), newUserId()];
  const twice = change(ada, 'a2');
  const notified = await record([change(ada, 'a1'), change(bob, 'b1'), twice]);
  expect(notified.sort()).toEqual([ada, bob].sort());
  await record([twice, change(ada, 'a3')]);
  expect(await notifications.statuses(ada)).toEqual(['a3', 'a2', 'a1']);
  expect(await notifications.statuses(bob)).toEqual(['b1']);
});

test('many consumers with many users at once neither block each other for good nor lose anything', async () => {
  const users = Array.from({ length: 20 }, newUserId);
  const batches = Array.from({ length: 8 }, (_, batch) => {
    const turned = [...users.slice(batch * 2), ...users.slice(0, batch * 2)];
    return record(turned.map((userId) => change(userId, `of batch ${batch}`)));
  });
  await Promise.all(batches);
  for (const userId of users) {
    const rows = await notifications.database.query<{ seq: number }>(
      'SELECT seq FROM notifications.notifications WHERE user_id = $1 ORDER BY seq',
      [userId],
    );
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  }
});

test('an event that can not be a notification goes to the dead letters, and others of its batch do not', async () => {
  const userId = newUserId();
  const bad = uuidV7(notifications.clock.nowMs());
  await Promise.all([
    notifications.statusChanged(userId, { newStatus: 'good' }),
    notifications.statusChanged(userId, { id: bad, receiptNumber: 'EAC9999100002', newStatus: '' }),
    notifications.statusChanged('not-a-user-id', { receiptNumber: 'EAC9999100003' }),
    notifications.statusChanged(userId, { newStatus: 'good too' }),
  ]);
  expect(await notifications.statuses(userId)).toEqual(['good too', 'good']);
  const dead = await notifications.database.query<{ event_id: string; key: string }>(
    'SELECT event_id, key FROM notifications.dead_letters ORDER BY key',
  );
  expect(dead).toMatchObject([{ event_id: bad, key: 'EAC9999100002' }, { key: 'EAC9999100003' }]);
});

test('of a deleted user nothing is left but the tombstone, and late events restore nothing', async () => {
  const [deleted, other] = [newUserId(), newUserId()];
  const id = await notifications.statusChanged(deleted);
  await notifications.statusChanged(other);
  await notifications.userDeleted(deleted);
  await notifications.statusChanged(deleted);
  await notifications.statusChanged(deleted, { id });
  const deletedAt = new Date(notifications.clock.nowMs());
  await notifications.clock.advance(1_000);
  await notifications.userDeleted(deleted);
  expect(await notifications.list(deleted)).toEqual({ status: 200, unread: 0, items: [] });
  expect((await notifications.list(other)).items).toHaveLength(1);
  const rows = await notifications.database.query(
    `SELECT (SELECT count(*)::int FROM notifications.notifications WHERE user_id = $1) AS notifications,
            (SELECT array_agg(deleted_at) FROM notifications.recipients WHERE user_id = $1) AS tombstones`,
    [deleted],
  );
  expect(rows).toEqual([{ notifications: 0, tombstones: [deletedAt] }]);
});

test('an erasure of which one statement fails, fails', async () => {
  const tx: SqlExecutor = {
    query: async (sql) => {
      if (sql.startsWith('DELETE FROM push_devices')) throw new Error('the disk is full');
      return [];
    },
  };
  const erasing = eraseUser(tx, newUserId(), notifications.clock.nowMs());
  await expect(erasing).rejects.toThrow('the disk is full');
});

test('a user who was never notified and is deleted gets no late notification either', async () => {
  const userId = newUserId();
  await notifications.userDeleted(userId);
  await notifications.statusChanged(userId);
  expect(await notifications.statuses(userId)).toEqual([]);
});

test('a deletion waits for a notification in progress and erases it too', async () => {
  const userId = newUserId();
  const notifying = await holdOpen((tx) => recordNotifications(tx, [change(userId, 'in progress')], 0));
  const deleting = inTransaction(notifications.pool, (tx) => eraseUser(tx, userId, 0));
  await waitsForLock();
  await notifying.commit();
  await deleting;
  expect(await notifications.statuses(userId)).toEqual([]);
});

test('a deleted user gets no stream', async () => {
  const userId = newUserId();
  await notifications.userDeleted(userId);
  const answer = await notifications.call('GET', '/api/notifications/stream', { as: { userId } });
  expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'SIGNED_OUT' }]);
});

test('how many streams are open is measured', async () => {
  const streams = [await notifications.stream(newUserId()), await notifications.stream(newUserId())];
  const open = async () => (await telemetry.scrape()).casewatch_push_streams;
  expect(await open()).toBe(2);
  for (const stream of streams) await stream.close();
  await expect.poll(open).toBe(0);
});

/** A transaction that has done its work and waits for the signal to commit. */
async function holdOpen(work: (tx: SqlExecutor) => Promise<unknown>) {
  const done = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const ended = inTransaction(notifications.pool, async (tx) => {
    await work(tx);
    done.resolve();
    await goOn.promise;
  });
  await done.promise;
  return {
    commit: async () => {
      goOn.resolve();
      await ended;
    },
  };
}

/** Resolves when a transaction waits for the lock of another. */
async function waitsForLock(): Promise<void> {
  await expect
    .poll(() =>
      notifications.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      ),
    )
    .not.toEqual([]);
}
