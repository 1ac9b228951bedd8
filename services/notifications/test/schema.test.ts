import { uuidV7Floor } from '@casewatch/service-kit/database/uuid-v7';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLAIM, LEVELS } from '../src/data/deliveries.ts';
import { REMOVE_BEFORE, REMOVE_DIGESTS_BEFORE } from '../src/data/notifications.ts';
import { personalData } from '../src/data/personal-data.ts';

const SOME_USER = "'6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11'";

let database: TestDatabase;
let pool: ReturnType<TestDatabase['openPool']>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = database.openPool('notifications', 1);
  await database.query(
    `INSERT INTO notifications.notifications (id, user_id, seq, receipt_number, new_status, created_at, read)
     SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
       md5((n % 200)::text)::uuid, n, 'EAC9999' || 103403 + (n / 200) % 20, 'x', now(), n % 10 > 0
     FROM generate_series(1, 20000) AS n`,
  );
  await database.query(
    `INSERT INTO notifications.recipients (user_id, last_seq)
     SELECT user_id, max(seq) FROM notifications.notifications GROUP BY user_id`,
  );
  await database.query(
    `INSERT INTO notifications.push_devices (id, user_id, endpoint, p256dh, auth, public_key, name, added_at, session_id)
     SELECT md5(n::text)::uuid, md5(n::text)::uuid, 'e', 'p', 'a', 'k', 'n', now(), md5(n::text)::uuid FROM generate_series(1, 20000) AS n`,
  );
  await database.query(
    `INSERT INTO notifications.deliveries (
       channel, kind, notification_id, device_id, state, queued_at, next_attempt_at, sent_at)
     SELECT channel, 'notification', id, CASE channel WHEN 'push' THEN md5('1')::uuid END,
       CASE WHEN seq % 40 = 0 THEN 'queued' ELSE 'sent' END, now(),
       CASE WHEN seq % 40 = 0 THEN now() END, CASE WHEN seq % 40 > 0 THEN now() END
     FROM notifications.notifications, unnest(ARRAY['email', 'push']) AS channel`,
  );
  await database.query(
    `INSERT INTO notifications.deliveries (channel, kind, state, queued_at, next_attempt_at, sent_at)
     SELECT channel, 'account', state, queued_at, next_attempt_at, sent_at FROM notifications.deliveries WHERE channel = 'email'`,
  );
  await database.query(
    `INSERT INTO notifications.digest_schedules (user_id, channel, kind, next_at)
     SELECT gen_random_uuid(), channel, 'daily', now() + n * interval '1 second'
     FROM generate_series(-50, 20000) AS n, unnest(ARRAY['email', 'push']) AS channel`,
  );
  await database.query(
    `INSERT INTO notifications.deliveries (
       channel, kind, user_id, device_id, digest_kind, period, changes, state, queued_at, next_attempt_at, sent_at)
     SELECT channel, 'digest', md5(n::text)::uuid, CASE channel WHEN 'push' THEN md5(n::text)::uuid END, 'daily', '2026-01-05', '{}',
       CASE WHEN n % 100 = 0 THEN 'queued' ELSE 'sent' END, now(), CASE WHEN n % 100 = 0 THEN now() END,
       CASE WHEN n % 100 > 0 THEN now() END
     FROM generate_series(1, 20000) AS n, unnest(ARRAY['email', 'push']) AS channel`,
  );
  await database.query(
    `INSERT INTO notifications.digest_changes SELECT user_id, 'email', 'daily', id FROM notifications.notifications`,
  );
  await database.query(
    `VACUUM ANALYZE notifications.notifications, notifications.digest_changes, notifications.recipients, notifications.deliveries,
       notifications.digest_schedules`,
  );
});
afterAll(() => database.drop());

test.each([
  [
    'the list',
    `SELECT * FROM notifications.notifications WHERE user_id = ${SOME_USER}
     ORDER BY change_order DESC, seq DESC LIMIT 50`,
    'Index Scan Backward using notifications_in_order',
  ],
  [
    'the next page of the list',
    `SELECT * FROM notifications.notifications WHERE user_id = ${SOME_USER} AND (change_order, seq) < (0, 9000)
     ORDER BY change_order DESC, seq DESC LIMIT 50`,
    'Index Scan Backward using notifications_in_order',
  ],
  [
    'the newest status of a case',
    `SELECT new_status FROM notifications.notifications WHERE user_id = ${SOME_USER} AND receipt_number = 'EAC9999103403'
     ORDER BY change_order DESC, seq DESC LIMIT 1`,
    'Index Scan Backward using notifications_of_case',
  ],
  [
    'what waits for a digest',
    `SELECT * FROM notifications.digest_changes WHERE user_id = ${SOME_USER} AND channel = 'email' AND kind = 'daily'`,
    'digest_changes_pkey',
  ],
  [
    'the unread count',
    `SELECT count(*) FROM notifications.notifications WHERE user_id = ${SOME_USER} AND NOT read`,
    'notifications_unread',
  ],
  [
    'mark all read',
    `UPDATE notifications.notifications SET read = true WHERE user_id = ${SOME_USER} AND NOT read`,
    'notifications_unread',
  ],
  [
    'what a stream has missed',
    `SELECT newer.* FROM unnest(ARRAY[${SOME_USER}]::uuid[], ARRAY[1]) AS f (user_id, seq) CROSS JOIN LATERAL (
       SELECT * FROM notifications.notifications AS n WHERE n.user_id = f.user_id AND n.seq > f.seq
       ORDER BY n.seq LIMIT 100) AS newer`,
    'notifications_of_user',
  ],
  [
    'the page of due digests',
    `SELECT * FROM notifications.digest_schedules WHERE channel = 'push' AND next_at <= now()
     ORDER BY next_at, user_id, kind LIMIT 200`,
    'digest_schedules_due',
  ],
  [
    'the digests of a day',
    `SELECT FROM notifications.deliveries
     WHERE user_id = ${SOME_USER} AND channel = 'push' AND digest_kind = 'daily' AND period = '2026-01-05'`,
    'deliveries_of_user',
  ],
  [
    'the erasure of digests',
    `DELETE FROM notifications.deliveries WHERE user_id = ${SOME_USER}`,
    'deliveries_of_user',
  ],
])('%s is served by its index', async (_what, sql, plan) => {
  const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
  const text = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain(plan);
  expect(text).not.toContain('Seq Scan');
});

const CHANNELS = ['email', 'push'] as const;

test.each([
  ['email', 'account'],
  ...CHANNELS.flatMap((channel) => [
    [channel, 'notification'],
    [channel, 'digest'],
  ]),
])('the claim of messages by %s of the kind %s reads those that are due', async (channel, kind) => {
  const now = new Date();
  const text = await planOf(`${CLAIM} SELECT FROM claimed`, [now, now, 50, channel, kind]);
  expect(text).toContain('using deliveries_due on');
  expect(text).not.toContain('Seq Scan');
  expect(text).not.toContain('Sort');
});

test.each(CHANNELS)(
  'how many messages by %s wait, and for how long, is read from an index of those that wait',
  async (channel) => {
    const text = await planOf(LEVELS, [new Date(), channel]);
    expect(text).toContain(' using deliveries_queued on ');
    expect(text).not.toContain('Seq Scan');
  },
);

test('old notifications are found at the head of the primary key', async () => {
  const text = await planOf(REMOVE_BEFORE, [uuidV7Floor(1_700_000_005_000), new Date(), 1_000]);
  expect(text).toContain('Index Scan using notifications_pkey');
  expect(text).not.toContain('Seq Scan');
  expect(text).not.toContain('Sort');
});

test('old digests are found by their age', async () => {
  const text = await planOf(REMOVE_DIGESTS_BEFORE, [new Date(), 1_000]);
  expect(text).toContain('Index Scan using deliveries_settled');
  expect(text).not.toContain('Sort');
});

test('the messages that a user can download are found by the user', async () => {
  const { where = '' } = personalData.tables.deliveries ?? {};
  const text = await planOf(`SELECT FROM deliveries WHERE ${where} ORDER BY id LIMIT 500`, [
    SOME_USER.slice(1, -1),
  ]);
  for (const index of ['deliveries_of_user', 'deliveries_of_notification']) expect(text).toContain(index);
  expect(text).not.toContain('Seq Scan on deliveries');
});

async function planOf(sql: string, values: unknown[]): Promise<string> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
