import { randomUUID } from 'node:crypto';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDeliveryLogs } from '../src/data/delivery-logs.ts';
import type { DeliveryClaim, DeliveryLog } from '../src/domain/delivery-log.ts';
import {
  type NotificationsFixture,
  newUserId,
  RECEIPT,
  startNotifications,
} from './notifications-fixture.ts';

const LEASE_MS = 30_000;
let notifications: NotificationsFixture;
let log: DeliveryLog;
let telemetry: Awaited<ReturnType<typeof startScraped>>;
let id: string;
beforeAll(async () => {
  telemetry = await startScraped();
  notifications = await startNotifications({ telemetry });
  log = createDeliveryLogs(notifications.pool).statusMails;
});
beforeEach(async () => {
  id = await notifications.statusChanged(newUserId());
  await notifications.database.query('DELETE FROM notifications.deliveries');
  await notifications.database.query(
    `INSERT INTO notifications.deliveries (id, notification_id, channel, kind, state, queued_at, next_attempt_at)
     VALUES ($1, $1, 'email', 'notification', 'queued', $2, $2)`,
    [id, new Date(nowMs())],
  );
});
afterAll(async () => {
  await notifications.stop();
  await telemetry.stop();
});

const nowMs = () => notifications.clock.nowMs();
const claim = () => log.claim({ nowMs: nowMs(), leaseMs: LEASE_MS, limit: 10 });
const row = async () => (await notifications.database.query('SELECT * FROM notifications.deliveries'))[0];

const settlements: [string, (claim: DeliveryClaim) => Promise<void>][] = [
  ['sent', (held) => log.markSent(held, id, nowMs())],
  ['abandoned', (held) => log.giveUp(held, [id], 'expired')],
  ['skipped', (held) => log.skip(held, [id], 'opted-out')],
  ['put off', (held) => log.defer(held, id, { nextMs: nowMs() + 60_000, reason: 'timeout' })],
  ['postponed', (held) => log.postpone(held, [id], { untilMs: nowMs() + 60_000, nextMs: nowMs() + 60_000 })],
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

test.each<[string, (claim: DeliveryClaim) => Promise<void>, object]>([
  [
    'sent',
    (held) => log.markSent(held, id, nowMs()),
    { state: 'sent', attempts: 2, waitMs: null, last_error: null },
  ],
  [
    'abandoned',
    (held) => log.giveUp(held, [id], 'expired'),
    { state: 'failed', attempts: 2, waitMs: null, last_error: 'expired' },
  ],
  [
    'skipped',
    (held) => log.skip(held, [id], 'opted-out'),
    { state: 'skipped', attempts: 2, waitMs: null, last_error: 'opted-out' },
  ],
  [
    'put off',
    (held) => log.defer(held, id, { nextMs: nowMs() + 60_000, reason: 'timeout' }),
    { state: 'queued', attempts: 2, waitMs: 60_000, last_error: 'timeout' },
  ],
  [
    'postponed, as if it had been queued for then, and looked at before,',
    (held) => log.postpone(held, [id], { untilMs: nowMs() + 90_000, nextMs: nowMs() + 60_000 }),
    { state: 'queued', attempts: 1, waitMs: 60_000, queuedInMs: 90_000, last_error: null },
  ],
  [
    'released',
    (held) => log.release(held, [id], nowMs()),
    { state: 'queued', attempts: 1, waitMs: 0, last_error: 'busy' },
  ],
])(
  'an e-mail that is %s after a failed attempt has its state, its attempts and its reason',
  async (_how, settle, after) => {
    await log.defer(await claim(), id, { nextMs: nowMs(), reason: 'busy' });
    await settle(await claim());
    const found = (await row()) as Record<string, unknown>;
    const inMs = (at: unknown) => (at instanceof Date ? at.getTime() - nowMs() : null);
    expect({
      ...found,
      waitMs: inMs(found.next_attempt_at),
      queuedInMs: inMs(found.queued_at),
      sentInMs: inMs(found.sent_at),
    }).toMatchObject({ queuedInMs: 0, sentInMs: found.state === 'sent' ? 0 : null, ...after });
  },
);

test('an e-mail that was looked at before its time and could not be sent is tried for as long as others from then on', async () => {
  await log.postpone(await claim(), [id], { untilMs: nowMs() + 90_000, nextMs: nowMs() });
  await log.defer(await claim(), id, { nextMs: nowMs() + 30_000, reason: 'busy' });
  expect((await row())?.queued_at?.getTime()).toBe(nowMs() + 30_000);
});

test('a claim takes those that have been due for the longest time, and not those that are not due', async () => {
  const others = [60_000, 30_000, -1];
  const ids = [];
  for (const dueForMs of others) {
    const other = await notifications.statusChanged(newUserId());
    ids.push(other);
    const due = new Date(nowMs() - dueForMs);
    await notifications.database.query(
      `INSERT INTO notifications.deliveries (id, notification_id, channel, kind, state, queued_at, next_attempt_at)
       VALUES ($1, $1, 'email', 'notification', 'queued', $2, $2)`,
      [other, due],
    );
  }
  const claimOf = async (limit: number) =>
    (await log.claim({ nowMs: nowMs(), leaseMs: LEASE_MS, limit })).due.map((one) => one.id);
  expect(await claimOf(2)).toEqual(ids.slice(0, 2));
  expect(await claimOf(10)).toEqual([id]);
});

/** What a scrape reads of the messages that wait. */
async function waiting(kind: 'mails' | 'pushes') {
  const values = await telemetry.scrape();
  return [values[`casewatch_${kind}_queued`], values[`casewatch_${kind}_oldest_seconds`]];
}

test('the levels count what is due, of every kind, and say how long the oldest has waited', async () => {
  await notifications.clock.advance(90_000);
  expect(await waiting('mails')).toEqual([1, 90]);
  expect(await waiting('pushes')).toEqual([0, 0]);
  const [quiet, old, done] = [randomUUID(), randomUUID(), randomUUID()];
  await notifications.database.query(
    `INSERT INTO notifications.deliveries (channel, kind, id, state, queued_at, next_attempt_at, sent_at) VALUES
       ('email', 'account', $1, 'queued', $4, $4, NULL), ('email', 'account', $2, 'queued', $5, $5, NULL),
       ('email', 'account', $3, 'sent', $6, NULL, $6)`,
    [quiet, old, done, new Date(nowMs() + 1), new Date(nowMs() - 120_000), new Date(nowMs() - 240_000)],
  );
  try {
    expect(await waiting('mails')).toEqual([2, 120]);
    await log.markSent(await claim(), id, nowMs());
    expect(await waiting('mails')).toEqual([1, 120]);
  } finally {
    await notifications.database.query("DELETE FROM notifications.deliveries WHERE kind = 'account'");
  }
  expect(await waiting('mails')).toEqual([0, 0]);
});

describe('a message to a device', () => {
  const [phone, laptop] = [randomUUID(), randomUUID()];
  const change = async (userId: string, receiptNumber = RECEIPT) =>
    notifications.statusChanged(userId, { receiptNumber });
  const queue = (notificationId: string, deviceId: string, state = 'queued', dueInMs = 0, queuedInMs = 0) =>
    notifications.database.query(
      `INSERT INTO notifications.deliveries (channel, kind, notification_id, device_id, state, queued_at, next_attempt_at, sent_at)
       VALUES ('push', 'notification', $1, $2, $3, $4, CASE WHEN $3 = 'queued' THEN $5::timestamptz END, CASE WHEN $3 = 'sent' THEN now() END)`,
      [notificationId, deviceId, state, new Date(nowMs() + queuedInMs), new Date(nowMs() + dueInMs)],
    );
  const newerOf = async () => {
    const { statusPushes } = createDeliveryLogs(notifications.pool);
    const { due } = await statusPushes.claim({ nowMs: nowMs(), leaseMs: LEASE_MS, limit: 10 });
    return due.map(({ notificationId, newer }) => [notificationId, newer]);
  };
  beforeEach(async () => {
    await notifications.database.query('DELETE FROM notifications.push_devices');
    await notifications.database.query(
      `INSERT INTO notifications.push_devices (id, user_id, endpoint, p256dh, auth, public_key, name, added_at, session_id)
       SELECT id, id, 'e', 'p', 'a', 'k', 'n', now(), id FROM unnest($1::uuid[]) AS id`,
      [[phone, laptop]],
    );
  });

  test.each([
    ['was sent', 'sent', 0, 'sent'],
    ['is due when the lease ends', 'queued', LEASE_MS, 'queued'],
    ['waits for longer', 'queued', LEASE_MS + 1, null],
    ['is looked at before the end of its wait', 'queued', 0, null, 1],
    ['was abandoned', 'failed', 0, null],
    ['was not wanted', 'skipped', 0, null],
  ])(
    'comes with what became of a newer one about the case that %s',
    async (_what, state, dueInMs, became, queuedInMs = 0) => {
      const userId = newUserId();
      const older = await change(userId);
      const newer = await change(userId);
      await queue(older, phone);
      await queue(newer, phone, state, dueInMs, queuedInMs);
      expect(await newerOf()).toContainEqual([older, became]);
    },
  );

  test('comes with the newer one that was sent, where there are several', async () => {
    const userId = newUserId();
    const [older, sent, queued] = [await change(userId), await change(userId), await change(userId)];
    await queue(older, phone);
    await queue(sent, phone, 'sent');
    await queue(queued, phone);
    expect(await newerOf()).toEqual([
      [older, 'sent'],
      [queued, null],
    ]);
  });

  test('comes with none where the newer one goes to another device or user, or is about another case', async () => {
    const [userId, other] = [newUserId(), newUserId()];
    const older = await change(userId);
    const newer = await change(userId);
    const ofOtherCase = await change(userId, 'EAC9999103404');
    await change(other);
    const ofOther = await change(other);
    await queue(older, phone);
    await queue(newer, laptop, 'sent');
    await queue(ofOtherCase, phone, 'sent');
    await queue(ofOther, phone, 'sent');
    expect(await newerOf()).toEqual([[older, null]]);
  });
});
