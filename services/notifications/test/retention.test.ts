import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@casewatch/contracts/notification-choices';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../src/data/open-database.ts';
import { toNotify } from '../src/domain/retention.ts';
import { PATIENCE } from './digest-waits.ts';
import { startMailing } from './mail-fixture.ts';
import { type NotificationsFixture, newUserId, startNotifications } from './notifications-fixture.ts';

const DAY_MS = 86_400_000;
const PATIENT = { timeout: 90_000 };
/** The clock of the tests begins in January 2026. */
const FIRST_OF_FEBRUARY_MS = Date.UTC(2026, 1, 1);

let notifications: NotificationsFixture;
beforeEach(async () => {
  notifications = await startNotifications({ env: { NOTIFICATION_MONTHS: '14' } });
});
afterEach(() => notifications.stop());

const moveTo = (ms: number) => notifications.clock.jump(ms - notifications.clock.nowMs());
/** Moves the clock by the hour until the job, which does its work once in an hour, has done it. */
const untilRemoved = async (userId: string, left: readonly string[]) => {
  const anHourLater = async () => {
    await notifications.clock.jump(3_600_000);
    return notifications.statuses(userId);
  };
  await expect.poll(anHourLater, { timeout: 10_000 }).toEqual(left);
};
const mark = async (userId: string, id: string) =>
  notifications.call('PATCH', `/api/notifications/${id}/read`, { as: { userId } });
const count = async (table: string) => {
  const [row] = await notifications.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM notifications.${table}`,
  );
  return row?.count;
};
const addDevice = async (userId: string) => {
  const [device] = await notifications.database.query<{ id: string }>(
    `INSERT INTO notifications.push_devices (id, user_id, endpoint, p256dh, auth, public_key, name, added_at, session_id)
     VALUES (gen_random_uuid(), $1, 'e', 'p', 'a', 'k', 'n', now(), gen_random_uuid()) RETURNING id`,
    [userId],
  );
  return device?.id;
};

test('notifications of a month go when it is older than what is kept, read or not, and those of the next month stay', async () => {
  const userId = newUserId();
  await moveTo(FIRST_OF_FEBRUARY_MS - 1);
  const read = await notifications.statusChanged(userId, { newStatus: 'read in January' });
  await notifications.statusChanged(userId, { newStatus: 'unread in January' });
  await mark(userId, read);
  await moveTo(FIRST_OF_FEBRUARY_MS);
  await notifications.statusChanged(userId, { newStatus: 'in February' });
  await moveTo(Date.UTC(2027, 2, 31));
  const all = ['in February', 'unread in January', 'read in January'];
  expect(await notifications.statuses(userId)).toEqual(all);
  expect((await notifications.list(userId)).unread).toBe(2);
  await moveTo(Date.UTC(2027, 3, 1));
  await untilRemoved(userId, ['in February']);
  expect((await notifications.list(userId)).unread).toBe(1);
});

test('numbers continue after a removal, and a stream resumes where it was', async () => {
  const userId = newUserId();
  await notifications.statusChanged(userId, { newStatus: 'first' });
  await notifications.statusChanged(userId, { newStatus: 'second' });
  await moveTo(FIRST_OF_FEBRUARY_MS + 15 * 31 * DAY_MS);
  await untilRemoved(userId, []);
  await notifications.statusChanged(userId, { newStatus: 'third' });
  const stream = await notifications.stream(userId, { lastEventId: '2' });
  expect(await stream.next()).toMatchObject({ event: 'ready', id: '2' });
  expect(await stream.next()).toMatchObject({ event: 'notification', id: '3', data: { newStatus: 'third' } });
  await stream.close();
});

test('the delivery logs of removed notifications go with them, and pages continue after a removed one', async () => {
  const userId = newUserId();
  const old = await notifications.statusChanged(userId, { newStatus: 'old' });
  const logged = async (id: string) => {
    const deviceId = await addDevice(userId);
    await notifications.database.query(
      `INSERT INTO notifications.deliveries (notification_id, channel, kind, state, queued_at, sent_at)
       VALUES ($1, 'email', 'notification', 'sent', now(), now())`,
      [id],
    );
    await notifications.database.query(
      `INSERT INTO notifications.deliveries (notification_id, device_id, channel, kind, state, queued_at, sent_at)
       VALUES ($1, $2, 'push', 'notification', 'sent', now(), now())`,
      [id, deviceId],
    );
  };
  await logged(old);
  await moveTo(FIRST_OF_FEBRUARY_MS + 15 * 31 * DAY_MS);
  await logged(await notifications.statusChanged(userId, { newStatus: 'new' }));
  await untilRemoved(userId, ['new']);
  expect(await count('deliveries')).toBe(2);
  expect(await notifications.statuses(userId, `?before=${old}`)).toEqual([]);
});

test('digests go when they are older than what is kept, except those that wait to be sent', async () => {
  const userId = newUserId();
  const deviceId = await addDevice(userId);
  const columns =
    'kind, user_id, digest_kind, period, changes, state, queued_at, next_attempt_at, sent_at, channel, device_id';
  for (const [period, state] of [
    ['2025-12-30', 'sent'],
    ['2025-12-31', 'queued'],
    ['2026-02-01', 'sent'],
  ]) {
    const times = state === 'sent' ? `NULL, '2027-01-01Z'` : `'2100-01-01Z', NULL`;
    const values = `'digest', $1, 'daily', $2::date, '{}', '${state}', $2::date::timestamptz, ${times}`;
    await notifications.database.query(
      `INSERT INTO notifications.deliveries (${columns}) VALUES (${values}, 'email', NULL), (${values}, 'push', $3)`,
      [userId, period, deviceId],
    );
  }
  await moveTo(Date.UTC(2027, 3, 1));
  for (const channel of ['email', 'push']) {
    const anHourLater = async () => {
      await notifications.clock.jump(3_600_000);
      const left = await notifications.database.query<{ period: string }>(
        `SELECT period::text FROM notifications.deliveries WHERE kind = 'digest' AND channel = $1 ORDER BY period`,
        [channel],
      );
      return left.map(({ period }) => period);
    };
    await expect.poll(anHourLater, { timeout: 10_000 }).toEqual(['2025-12-31', '2026-02-01']);
  }
});

test('what waits to be sent or for a digest stays until then, and for the digest of a device while there is one', async () => {
  const userId = newUserId();
  const waiting = [
    'e-mail',
    'push',
    'next digest',
    'next push digest',
    'digest',
    'push digest',
    'next device',
  ];
  const ids: string[] = [];
  for (const newStatus of [...waiting, 'nothing'])
    ids.push(await notifications.statusChanged(userId, { newStatus }));
  const [mail, push, change, pushChange, inDigest, inPushDigest, awaiting] = ids;
  const { query } = notifications.database;
  const deviceId = await addDevice(userId);
  await query(
    `INSERT INTO notifications.deliveries (notification_id, channel, kind, state, queued_at, next_attempt_at)
     VALUES ($1, 'email', 'notification', 'queued', now(), now())`,
    [mail],
  );
  await query(
    `INSERT INTO notifications.deliveries (notification_id, device_id, channel, kind, state, queued_at, next_attempt_at)
     VALUES ($1, $2, 'push', 'notification', 'queued', now(), now())`,
    [push, deviceId],
  );
  await query(
    `INSERT INTO notifications.digest_changes (user_id, channel, kind, notification_id)
     VALUES ($1, 'email', 'daily', $2), ($1, 'push', 'weekly', $3)`,
    [userId, change, pushChange],
  );
  await query(
    `INSERT INTO notifications.deliveries (channel, kind, user_id, digest_kind, period, state, queued_at, next_attempt_at, changes)
     VALUES ('email', 'digest', $1, 'daily', '2026-01-05', 'queued', now(), now(), ARRAY[$2::uuid])`,
    [userId, inDigest],
  );
  await query(
    `INSERT INTO notifications.deliveries (channel, kind, user_id, device_id, digest_kind, period, state, queued_at, next_attempt_at, changes)
     VALUES ('push', 'digest', $1, $2, 'daily', '2026-01-05', 'queued', now(), now(), ARRAY[$3::uuid])`,
    [userId, deviceId, inPushDigest],
  );
  await query('UPDATE notifications.notifications SET awaits_device_since = $2 WHERE id = $1', [
    awaiting,
    new Date(FIRST_OF_FEBRUARY_MS + 14 * 31 * DAY_MS),
  ]);
  await moveTo(FIRST_OF_FEBRUARY_MS + 15 * 31 * DAY_MS);
  await untilRemoved(userId, waiting.toReversed());
  await query('UPDATE notifications.notifications SET awaits_device_since = NULL');
  await query(
    `UPDATE notifications.deliveries SET state = 'sent', sent_at = now(), next_attempt_at = NULL WHERE state = 'queued'`,
  );
  await query(`DELETE FROM notifications.digest_changes WHERE channel = 'email'`);
  await untilRemoved(userId, ['next push digest']);
  await query('DELETE FROM notifications.push_devices WHERE id = $1', [deviceId]);
  await untilRemoved(userId, []);
});

test(
  'a change is sent at the end of a snooze that outlasts what is kept, in an e-mail and in a digest',
  PATIENT,
  async () => {
    const mailing = await startMailing({ env: { NOTIFICATION_MONTHS: '14' } });
    const { clock, directory, server } = mailing;
    const [atOnce, daily, removed] = [mailing.person(), mailing.person(), mailing.person()];
    const body = { ...DEFAULTS, email: { ...DEFAULTS.email, status: 'daily' } };
    await mailing.call('PUT', '/api/notifications/settings', { as: daily, body });
    const snoozedUntil = new Date(clock.nowMs() + 500 * DAY_MS).toISOString();
    for (const { userId } of [atOnce, daily]) directory.snoozed.set(userId, snoozedUntil);
    for (const { userId } of [atOnce, daily, removed])
      await mailing.statusChanged(userId, { newStatus: 'held' });
    const passing = () => clock.jump(3_600_000);
    await expect.poll(() => passing().then(() => server.to(removed.email).length), PATIENCE).toBe(1);
    await clock.jump(480 * DAY_MS);
    await expect.poll(() => passing().then(() => mailing.statuses(removed.userId)), PATIENCE).toEqual([]);
    await clock.jump(20 * DAY_MS);
    for (const { email } of [atOnce, daily]) {
      await expect.poll(() => passing().then(() => server.to(email).length), PATIENCE).toBe(1);
      expect(server.to(email)[0]?.parsed.text).toContain('held');
    }
    await mailing.stop();
  },
);

test('all that is too old goes, however many there are', async () => {
  const userId = newUserId();
  await notifications.database.query(
    `INSERT INTO notifications.notifications (id, user_id, seq, receipt_number, new_status, created_at)
     SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid, $1, n,
       'EAC9999103403', 'x', '2023-11-14Z' FROM generate_series(1, 2500) AS n`,
    [userId],
  );
  await untilRemoved(userId, []);
  expect(await count('notifications')).toBe(0);
});

test('of what is too old a batch of each kind is removed, and the largest of them says whether there may be more', async () => {
  const { store, close } = openDatabase({
    url: notifications.database.urlFor('notifications'),
    maximum: 1,
    logger: pino({ level: 'silent' }),
  });
  await notifications.database.query(
    `INSERT INTO notifications.deliveries (channel, kind, user_id, digest_kind, period, changes, state, queued_at, sent_at)
     SELECT 'email', 'digest', gen_random_uuid(), 'daily', '2030-01-01', '{}', 'sent', '2030-01-01Z', '2030-01-01Z'
     FROM generate_series(1, 5)`,
  );
  const left = async () =>
    (await notifications.database.query("SELECT FROM notifications.deliveries WHERE period = '2030-01-01'"))
      .length;
  // Long after what the job has removed by then.
  const sinceMs = Date.UTC(2031, 0, 1);
  expect(await store.removeBefore(sinceMs, 3)).toBe(3);
  expect(await left()).toBe(2);
  expect(await store.removeBefore(sinceMs, 3)).toBe(2);
  expect(await store.removeBefore(sinceMs, 3)).toBe(0);
  await close();
});

test('an event that comes again after its notification was removed adds none', async () => {
  const userId = newUserId();
  const event = { atMs: notifications.clock.nowMs(), newStatus: 'once' };
  const id = await notifications.statusChanged(userId, event);
  await moveTo(FIRST_OF_FEBRUARY_MS + 15 * 31 * DAY_MS);
  await untilRemoved(userId, []);
  await notifications.database.query('DELETE FROM notifications.inbox');
  await notifications.statusChanged(userId, { ...event, id });
  expect(await notifications.statuses(userId)).toEqual([]);
});

test('an event without a time notifies', () => {
  const event = (id: string, timeMs: number) => ({ payload: { newStatus: id }, meta: { id, timeMs } });
  const events = [event('without', Number.NaN), event('before', 999), event('from then on', 1_000)];
  expect(toNotify(events, 1_000)).toEqual([
    { newStatus: 'without', eventId: 'without' },
    { newStatus: 'from then on', eventId: 'from then on' },
  ]);
});

test('a notification that was made long after its event is kept as long as any', async () => {
  const [late, other] = [newUserId(), newUserId()];
  const atMs = notifications.clock.nowMs();
  await notifications.statusChanged(other);
  await moveTo(FIRST_OF_FEBRUARY_MS);
  await notifications.statusChanged(late, { atMs, newStatus: 'late' });
  await moveTo(Date.UTC(2027, 3, 29));
  await untilRemoved(other, []);
  expect(await notifications.statuses(late)).toEqual(['late']);
  await moveTo(Date.UTC(2027, 4, 1));
  await untilRemoved(late, []);
});
