import type { ExportedNotification } from '@casewatch/contracts/exports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NotificationsFixture, newUserId, startNotifications } from './notifications-fixture.ts';

let notifications: NotificationsFixture;
beforeAll(async () => {
  notifications = await startNotifications();
});
afterAll(() => notifications.stop());

const exported = (format: string, userId: string, body: unknown = {}, tier: 'pro' | 'free' = 'pro') =>
  notifications.call('POST', `/api/notifications/export.${format}`, { as: { userId, tier }, body });

test('notifications are exported as CSV, newest first, in the zone of the user and safe for spreadsheets', async () => {
  const userId = newUserId();
  await notifications.statusChanged(userId, { newStatus: '@SUM(1)' });
  await notifications.statusChanged(userId, { oldStatus: '@SUM(1)', newStatus: 'Case Was Approved' });
  // Of the plan, and of another user: in no export of cases.
  await notifications.planMilestone(userId, 'pro-returned');
  await notifications.statusChanged(newUserId());
  const answer = await exported('csv', userId, { timeZone: 'Asia/Kolkata' });
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="notifications.csv"');
  expect(answer.headers.get('x-total-count')).toBe('2');
  const time = '2026-01-05T17:30:00.000+05:30';
  expect(Date.parse(time)).toBe(notifications.clock.nowMs());
  const [head, ...rows] = (await answer.text()).split('\r\n');
  expect(head).toMatch(
    /^\uFEFF?"Receipt Number","Old Status","New Status","Time \(Asia\/(Kolkata|Calcutta)\)","Read"$/,
  );
  expect(rows).toEqual([
    `"EAC9999103403","'@SUM(1)","Case Was Approved","${time}","no"`,
    `"EAC9999103403","","'@SUM(1)","${time}","no"`,
    '',
  ]);
});

test('JSON lines hold each notification once, over many pages, and a selection only its cases', async () => {
  const userId = newUserId();
  await notifications.database.query(
    `INSERT INTO notifications.notifications (id, user_id, seq, receipt_number, new_status, created_at, read)
     SELECT gen_random_uuid(), $1, n, 'EAC' || lpad((n % 2)::text, 10, '0'), 'Status ' || n, now(), false
     FROM generate_series(1, 2500) AS n`,
    [userId],
  );
  // One of the plan among them ends no page.
  await notifications.database.query(
    `INSERT INTO notifications.notifications (id, user_id, seq, milestone, effective_at, created_at, read)
     VALUES (gen_random_uuid(), $1, 2600, 'pro-returned', now(), now(), false)`,
    [userId],
  );
  const statuses = async (body?: unknown) =>
    (await (await exported('ndjson', userId, body)).text())
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as ExportedNotification).newStatus);
  const all = Array.from({ length: 2_500 }, (_, at) => `Status ${2_500 - at}`);
  expect(await statuses()).toEqual(all);
  const selection = await exported('ndjson', userId, { receiptNumbers: ['EAC0000000001'] });
  expect(selection.headers.get('content-disposition')).toBe('attachment; filename="notifications.ndjson"');
  expect(selection.headers.get('x-total-count')).toBe('1250');
  await selection.body?.cancel();
  expect(await statuses({ receiptNumbers: ['EAC0000000001'] })).toEqual(
    all.filter((_status, at) => at % 2 === 1),
  );
  expect(await (await exported('ndjson', newUserId())).text()).toBe('');
});

test.each(['csv', 'ndjson'])('the export as %s is for pro users', async (format) => {
  const answer = await exported(format, newUserId(), {}, 'free');
  expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'PRO_REQUIRED' }]);
});
