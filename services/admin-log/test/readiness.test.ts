import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AdminLogFixture, startAdminLog } from './admin-log-fixture.ts';

let log: AdminLogFixture;
beforeEach(async () => {
  log = await startAdminLog();
});
afterEach(() => log.stop());

test('it is ready while its database answers with the newest schema', async () => {
  expect((await log.call('GET', '/readyz')).status).toBe(200);
  await log.database.query('DELETE FROM admin_log.schema_migrations');
  expect((await log.call('GET', '/readyz')).status).toBe(503);
});

test('an export that could not be noted is refused before its first byte', async () => {
  await log.database.query('REVOKE INSERT ON admin_log.outbox FROM casewatch_admin_log');
  const answer = await log.get('/api/admin/logs.csv');
  expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'INTERNAL' }]);
  await log.database.query('GRANT INSERT ON admin_log.outbox TO casewatch_admin_log');
  expect((await log.get('/api/admin/logs.csv')).status).toBe(200);
  const noted = await log.database.query('SELECT topic FROM admin_log.outbox');
  expect(noted).toEqual([{ topic: 'admin-acted' }]);
});
