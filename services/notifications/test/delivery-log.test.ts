import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDeliveryLog } from '../src/data/deliveries.ts';
import type { DeliveryClaim, DeliveryLog } from '../src/domain/delivery-log.ts';
import { type NotificationsFixture, newUserId, startNotifications } from './notifications-fixture.ts';

const LEASE_MS = 30_000;
let notifications: NotificationsFixture;
let log: DeliveryLog;
let id: string;
beforeAll(async () => {
  notifications = await startNotifications();
  log = createDeliveryLog(poolExecutor(notifications.pool));
});
beforeEach(async () => {
  id = await notifications.statusChanged(newUserId());
  await notifications.database.query('DELETE FROM notifications.deliveries');
  await notifications.database.query(
    `INSERT INTO notifications.deliveries (notification_id, channel, state, queued_at, next_attempt_at)
     VALUES ($1, 'email', 'queued', $2, $2)`,
    [id, new Date(nowMs())],
  );
});
afterAll(() => notifications.stop());

const nowMs = () => notifications.clock.nowMs();
const claim = () => log.claim({ nowMs: nowMs(), leaseMs: LEASE_MS, limit: 10 });
const row = async () => (await notifications.database.query('SELECT * FROM notifications.deliveries'))[0];

const settlements: [string, (claim: DeliveryClaim) => Promise<void>][] = [
  ['sent', (held) => log.markSent(held, id, nowMs())],
  ['given up', (held) => log.giveUp(held, [id], 'expired')],
  ['skipped', (held) => log.skip(held, [id], 'opted-out')],
  ['put off', (held) => log.defer(held, id, { nextMs: nowMs() + 60_000, reason: 'timeout' })],
  ['released', (held) => log.release(held, [id], nowMs())],
];

test.each(settlements)(
  'an e-mail that another process has claimed since is not %s by the one whose lease has ended',
  async (_how, settle) => {
    const first = await claim();
    expect(first.due).toMatchObject([{ id, attempts: 1 }]);
    await notifications.clock.advance(LEASE_MS + 1_000);
    const second = await claim();
    expect(second.due).toMatchObject([{ id, attempts: 2 }]);
    const claimed = await row();
    await settle(first);
    expect(await row()).toEqual(claimed);
    await settle(second);
    expect(await row()).not.toEqual(claimed);
  },
);

test('an e-mail is claimed once within its lease, and again when the lease has ended', async () => {
  expect((await claim()).due).toHaveLength(1);
  expect((await claim()).due).toEqual([]);
  await notifications.clock.advance(LEASE_MS - 1);
  expect((await claim()).due).toEqual([]);
  await notifications.clock.advance(1);
  expect((await claim()).due).toHaveLength(1);
});

test('a settled e-mail is not settled again', async () => {
  const held = await claim();
  await log.markSent(held, id, nowMs());
  const sent = await row();
  for (const [, settle] of settlements) await settle(held);
  expect(await row()).toEqual(sent);
});
