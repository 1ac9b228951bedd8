import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordNotifications } from '../src/data/record-notifications.ts';
import {
  CALL,
  type NotificationsFixture,
  newUserId,
  RECEIPT,
  startNotifications,
} from './notifications-fixture.ts';

let notifications: NotificationsFixture;
let stopped = false;
beforeEach(async () => {
  stopped = false;
  notifications = await startNotifications();
});
afterEach(async () => {
  if (!stopped) await notifications.stop();
});

test('stopping ends open streams at once instead of waiting for them', async () => {
  const streams = await Promise.all([1, 2, 3].map(() => notifications.stream(newUserId())));
  for (const stream of streams) expect((await stream.next())?.event).toBe('ready');
  const before = performance.now();
  stopped = true;
  await notifications.stop();
  expect(performance.now() - before).toBeLessThan(2_000);
  for (const stream of streams) expect(await stream.next()).toBeUndefined();
});

test('a reader that does not read is cut off and costs the others nothing', async () => {
  const userId = newUserId();
  const reading = await notifications.stream(userId);
  await reading.next();
  const stuck = await notifications.call('GET', '/api/notifications/stream', { as: { userId } });
  // Together far more than the sockets between the two hold.
  const long = 'x'.repeat(1_000_000);
  const count = 40;
  for (let nth = 0; nth < count; nth++) {
    await addUnseen(userId, `${nth} ${long}`);
    expect((await reading.nextNotification()).newStatus).toMatch(new RegExp(`^${nth} `));
  }
  let bytes = 0;
  const readAll = async () => {
    for await (const piece of stuck.body ?? []) bytes += piece.byteLength;
  };
  await expect(readAll()).rejects.toThrow('terminated');
  expect(bytes).toBeLessThan(count * long.length);
});

test('when the connection for the pushes is lost, another takes its place and nothing is missed', async () => {
  const userId = newUserId();
  const stream = await notifications.stream(userId);
  await stream.next();
  await notifications.statusChanged(userId, { newStatus: 'before' });
  await stream.nextNotification();
  await notifications.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'casewatch-push-notifications'
       AND datname = current_database()`,
  );
  await expect.poll(listeners).toBe(0);
  await notifications.statusChanged(userId, { newStatus: 'during the gap' });
  await expect
    .poll(async () => {
      await notifications.clock.advance(500);
      return listeners();
    })
    .toBe(1);
  expect((await stream.nextNotification()).newStatus).toBe('during the gap');
});

test('a stream at one replica gets what another one handled', async () => {
  const database = await createTestDatabase();
  const [one, two] = [await startNotifications({ database }), await startNotifications({ database })];
  try {
    const userId = newUserId();
    const streams = [await one.stream(userId), await two.stream(userId)];
    for (const stream of streams) await stream.next();
    await one.statusChanged(userId, { newStatus: 'by one' });
    await two.statusChanged(userId, { newStatus: 'by two' });
    for (const stream of streams) {
      expect((await stream.nextNotification()).newStatus).toBe('by one');
      expect((await stream.nextNotification()).newStatus).toBe('by two');
    }
  } finally {
    await one.stop();
    await two.stop();
    await database.drop();
  }
});

async function listeners(): Promise<number> {
  const rows = await notifications.database.query(
    `SELECT 1 FROM pg_stat_activity WHERE application_name = 'casewatch-push-notifications'
       AND datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  return rows.length;
}

async function addUnseen(userId: string, newStatus: string): Promise<void> {
  await inTransaction(notifications.pool, async (tx) => {
    const change = { eventId: uuidV7(1), userId, receiptNumber: RECEIPT, newStatus, ...CALL };
    await recordNotifications(tx, [change], 1);
    await tx.query(`SELECT pg_notify('push_notifications', $1)`, [userId]);
  });
}
