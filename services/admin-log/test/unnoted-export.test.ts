import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { startAdminLog } from './admin-log-fixture.ts';

const log = await forThisFile(startAdminLog());

test('an export that could not be noted is refused before its first byte', async () => {
  await log.database.query('REVOKE INSERT ON admin_log.outbox FROM casewatch_admin_log');
  const answer = await log.get('/api/admin/logs.csv');
  expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'INTERNAL' }]);
  await log.database.query('GRANT INSERT ON admin_log.outbox TO casewatch_admin_log');
  expect((await log.get('/api/admin/logs.csv')).status).toBe(200);
  const noted = await log.database.query('SELECT topic FROM admin_log.outbox');
  expect(noted).toEqual([{ topic: 'admin-acted' }]);
});
