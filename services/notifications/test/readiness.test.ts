import { afterEach, beforeEach, expect, test } from 'vitest';
import { type NotificationsFixture, startNotifications } from './notifications-fixture.ts';

let notifications: NotificationsFixture;
beforeEach(async () => {
  notifications = await startNotifications();
});
afterEach(() => notifications.stop());

const readiness = async () => (await notifications.call('GET', '/readyz')).status;

test('it is ready while its database answers with the newest schema', async () => {
  expect(await readiness()).toBe(200);
});

test('it is not ready while the newest migration has not been applied', async () => {
  await notifications.database.query('DELETE FROM notifications.schema_migrations');
  expect(await readiness()).toBe(503);
  await expect(notifications.service.ready()).rejects.toThrow('0001_schema has not been applied');
});
