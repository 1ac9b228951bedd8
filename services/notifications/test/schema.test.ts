import { uuidV7Floor } from '@casewatch/service-kit/database/uuid-v7';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIL_LEVELS, PUSH_LEVELS } from '../src/data/deliveries.ts';
import { REMOVE_BEFORE, removeDigestsBefore } from '../src/data/notifications.ts';

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
    `INSERT INTO notifications.deliveries (notification_id, channel, state, queued_at, next_attempt_at, sent_at)
     SELECT id, 'email', CASE WHEN seq % 40 = 0 THEN 'queued' ELSE 'sent' END, now(),
       CASE WHEN seq % 40 = 0 THEN now() END, CASE WHEN seq % 40 > 0 THEN now() END
     FROM notifications.notifications`,
  );
  await database.query(
    `INSERT INTO notifications.account_deliveries (id, state, queued_at, next_attempt_at, sent_at)
     SELECT notification_id, state, queued_at, next_attempt_at, sent_at FROM notifications.deliveries`,
  );
  await database.query(
    `INSERT INTO notifications.digest_schedules (user_id, kind, next_at)
     SELECT gen_random_uuid(), 'daily', now() + n * interval '1 second' FROM generate_series(-50, 20000) AS n`,
  );
  await database.query(
    `INSERT INTO notifications.digests (
       id, user_id, kind, period, state, queued_at, next_attempt_at, sent_at)
     SELECT gen_random_uuid(), md5(n::text)::uuid, 'daily', '2026-01-05',
       CASE WHEN n % 100 = 0 THEN 'queued' ELSE 'sent' END, now(), CASE WHEN n % 100 = 0 THEN now() END,
       CASE WHEN n % 100 > 0 THEN now() END
     FROM generate_series(1, 20000) AS n`,
  );
  await database.query(
    `INSERT INTO notifications.push_devices (id, user_id, endpoint, p256dh, auth, public_key, name, added_at, session_id)
     SELECT md5(n::text)::uuid, md5(n::text)::uuid, 'e', 'p', 'a', 'k', 'n', now(), md5(n::text)::uuid FROM generate_series(1, 20000) AS n`,
  );
  await database.query(
    `INSERT INTO notifications.push_deliveries (notification_id, device_id, state, queued_at, next_attempt_at, sent_at)
     SELECT notification_id, md5('1')::uuid, state, queued_at, next_attempt_at, sent_at FROM notifications.deliveries`,
  );
  await database.query(
    `INSERT INTO notifications.push_digest_schedules SELECT * FROM notifications.digest_schedules`,
  );
  await database.query(
    `INSERT INTO notifications.push_digests (
       id, user_id, device_id, kind, period, state, queued_at, next_attempt_at, sent_at)
     SELECT id, user_id, user_id, kind, period, state, queued_at, next_attempt_at, sent_at
     FROM notifications.digests`,
  );
  await database.query(
    `INSERT INTO notifications.digest_changes SELECT user_id, 'email', 'daily', id FROM notifications.notifications`,
  );
  await database.query(
    `VACUUM ANALYZE notifications.notifications, notifications.digest_changes, notifications.recipients, notifications.deliveries,
       notifications.account_deliveries, notifications.push_deliveries, notifications.digest_schedules, notifications.digests, notifications.push_digest_schedules,
       notifications.push_digests`,
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
    'the claim of e-mails',
    `SELECT notification_id FROM notifications.deliveries WHERE state = 'queued' AND next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT 50 FOR UPDATE SKIP LOCKED`,
    'deliveries_due',
  ],
  [
    'the page of due digests',
    `SELECT * FROM notifications.digest_schedules WHERE next_at <= now() ORDER BY next_at, user_id, kind LIMIT 200`,
    'digest_schedules_due',
  ],
  [
    'the claim of digests',
    `SELECT id FROM notifications.digests WHERE state = 'queued' AND next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT 50 FOR UPDATE SKIP LOCKED`,
    'digests_due',
  ],
  [
    'the page of due digests to devices',
    `SELECT * FROM notifications.push_digest_schedules WHERE next_at <= now() ORDER BY next_at, user_id, kind LIMIT 200`,
    'push_digest_schedules_due',
  ],
  [
    'the claim of digests to devices',
    `SELECT id FROM notifications.push_digests WHERE state = 'queued' AND next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT 50 FOR UPDATE SKIP LOCKED`,
    'push_digests_due',
  ],
  [
    'the digests to devices of a day',
    `SELECT FROM notifications.push_digests WHERE user_id = ${SOME_USER} AND kind = 'daily' AND period = '2026-01-05'`,
    'push_digests_user_id_kind_period_device_id_key',
  ],
  [
    'the age of the oldest e-mail',
    `SELECT min(queued_at) FROM notifications.deliveries WHERE state = 'queued'`,
    'deliveries_queued',
  ],
])('%s is served by its index', async (_what, sql, plan) => {
  const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
  const text = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain(plan);
  expect(text).not.toContain('Seq Scan');
});

test.each([
  ['e-mails', MAIL_LEVELS, ['deliveries_queued', 'account_deliveries_waiting', 'digests_queued']],
  ['push messages', PUSH_LEVELS, ['push_deliveries_queued', 'push_digests_queued']],
])(
  'how many %s wait, and for how long, is read from indexes of those that wait',
  async (_what, sql, indexes) => {
    const text = await planOf(sql, [new Date()]);
    for (const index of indexes) expect(text).toContain(` using ${index} on `);
    expect(text).not.toContain('Seq Scan');
  },
);

test('old notifications are found at the head of the primary key', async () => {
  const text = await planOf(REMOVE_BEFORE, [uuidV7Floor(1_700_000_005_000), new Date(), 1_000]);
  expect(text).toContain('Index Scan using notifications_pkey');
  expect(text).not.toContain('Seq Scan');
  expect(text).not.toContain('Sort');
});

test.each(['digests', 'push_digests'] as const)('old rows of %s are found by their age', async (table) => {
  const text = await planOf(removeDigestsBefore(table), [new Date(), 1_000]);
  expect(text).toContain(`Index Scan using ${table}_settled`);
  expect(text).not.toContain('Sort');
});

async function planOf(sql: string, values: unknown[]): Promise<string> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
