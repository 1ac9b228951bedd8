import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { ADMIN, newUserId, startAdminLog } from './admin-log-fixture.ts';

const log = await forThisFile(startAdminLog());

const ROUTES = ['logs', 'logs.csv', 'logs.ndjson', 'logs/overview', 'audit'].map(
  (name) => `/api/admin/${name}`,
);

test.each(ROUTES)('%s is for administrators only: other callers get no data', async (path) => {
  await log.lookedUp({ response: 'canary' });
  for (const who of [{}, { as: { userId: newUserId() } }]) {
    const answer = await log.call('GET', path, who);
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([401, { code: 'ADMIN_REQUIRED' }]);
    expect(text).not.toContain('canary');
  }
  expect((await log.call('GET', path, { adminSession: ADMIN })).status).toBe(200);
});
