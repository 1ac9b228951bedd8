import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type NotificationsFixture,
  newUserId,
  RECEIPT,
  startNotifications,
} from './notifications-fixture.ts';

let notifications: NotificationsFixture;
beforeAll(async () => {
  notifications = await startNotifications();
});
afterAll(() => notifications.stop());

const call = (method: string, path: string, userId: string) =>
  notifications.call(method, path, { as: { userId } });

test('a status change becomes a notification of the watcher', async () => {
  const userId = newUserId();
  const id = await notifications.statusChanged(userId, {
    oldStatus: 'Case Was Received',
    newStatus: 'Case Was Approved',
  });
  expect(await notifications.list(userId)).toEqual({
    status: 200,
    unread: 1,
    items: [
      {
        id,
        userId,
        kind: 'status',
        receiptNumber: RECEIPT,
        oldStatus: 'Case Was Received',
        newStatus: 'Case Was Approved',
        needsAction: false,
        createdAt: new Date(notifications.clock.nowMs()).toISOString(),
        read: false,
        order: '0000000000000000000-0000000001',
      },
    ],
  });
});

test('the first status known has no old status', async () => {
  const userId = newUserId();
  await notifications.statusChanged(userId);
  expect((await notifications.list(userId)).items[0]?.oldStatus).toBeNull();
});

test('a user without notifications gets an empty list', async () => {
  expect(await notifications.list(newUserId())).toEqual({ status: 200, unread: 0, items: [] });
});

test('the newest comes first, and pages continue where the one before ended', async () => {
  const userId = newUserId();
  const all: string[] = [];
  for (let nth = 0; nth < 5; nth++) {
    // The clock stands still: it is not the time that keeps the order.
    await notifications.statusChanged(userId, { newStatus: `status ${nth}` });
    all.unshift(`status ${nth}`);
  }
  expect(await notifications.statuses(userId)).toEqual(all);
  const first = (await notifications.list(userId, '?limit=2')).items;
  expect(first.map(({ newStatus }) => newStatus)).toEqual(all.slice(0, 2));
  expect(await notifications.statuses(userId, `?limit=2&before=${first[1]?.id}`)).toEqual(all.slice(2, 4));
});

test('the list holds 50 unless asked otherwise, and the unread count counts all', async () => {
  const userId = newUserId();
  await notifications.database.query(
    `INSERT INTO notifications.notifications (id, user_id, seq, receipt_number, new_status, created_at, read)
     SELECT gen_random_uuid(), $1, n, 'EAC9999103403', 'x', now(), n <= 10 FROM generate_series(1, 130) AS n`,
    [userId],
  );
  const page = await notifications.list(userId);
  expect([page.items.length, page.unread]).toEqual([50, 120]);
  expect((await notifications.list(userId, '?limit=100')).items).toHaveLength(100);
});

test.each(['?limit=0', '?limit=101', '?limit=ten', '?before=yesterday'])('%s is refused', async (query) => {
  expect((await notifications.list(newUserId(), query)).status).toBe(400);
});

test('marking one read changes it and the count, and again is no error', async () => {
  const userId = newUserId();
  const id = await notifications.statusChanged(userId);
  await notifications.statusChanged(userId);
  for (let time = 0; time < 2; time++) {
    const answer = await call('PATCH', `/api/notifications/${id}/read`, userId);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id, read: true });
  }
  const { unread, items } = await notifications.list(userId);
  expect([unread, items.map(({ read }) => read)]).toEqual([1, [false, true]]);
});

test('marking all read says how many were unread', async () => {
  const userId = newUserId();
  await notifications.statusChanged(userId);
  await notifications.statusChanged(userId);
  const answers = [];
  for (let time = 0; time < 2; time++) {
    answers.push(await (await call('POST', '/api/notifications/read-all', userId)).json());
  }
  expect(answers).toEqual([
    { ok: true, count: 2 },
    { ok: true, count: 0 },
  ]);
  expect((await notifications.list(userId)).unread).toBe(0);
});

test('a user cannot see, mark or page through another user’s notifications', async () => {
  const owner = newUserId();
  const other = newUserId();
  const older = await notifications.statusChanged(owner);
  const newer = await notifications.statusChanged(owner);
  expect(await notifications.statuses(other)).toEqual([]);
  expect(await notifications.statuses(other, `?before=${newer}`)).toEqual([]);
  const refused = await call('PATCH', `/api/notifications/${older}/read`, other);
  expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  expect(await (await call('POST', '/api/notifications/read-all', other)).json()).toEqual({
    ok: true,
    count: 0,
  });
  expect((await notifications.list(owner)).unread).toBe(2);
});

test('the cursor of another user pages through nothing, also for a user with notifications', async () => {
  const owner = newUserId();
  const other = newUserId();
  for (let nth = 0; nth < 3; nth++) await notifications.statusChanged(other);
  for (let nth = 0; nth < 2; nth++) await notifications.statusChanged(owner);
  const cursor = (await notifications.list(owner)).items[0]?.id;
  expect(await notifications.statuses(other, `?before=${cursor}`)).toEqual([]);
});

test.each([
  ['GET', '/api/notifications'],
  ['GET', '/api/notifications/stream'],
  ['POST', '/api/notifications/read-all'],
  ['PATCH', `/api/notifications/${newUserId()}/read`],
])('%s %s needs a signed-in user', async (method, path) => {
  const answer = await notifications.call(method, path);
  expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'SIGNED_OUT' }]);
});

test('a notification that does not exist, or whose id is none, is not found or refused', async () => {
  expect((await call('PATCH', `/api/notifications/${newUserId()}/read`, newUserId())).status).toBe(404);
  expect((await call('PATCH', '/api/notifications/1/read', newUserId())).status).toBe(400);
});
