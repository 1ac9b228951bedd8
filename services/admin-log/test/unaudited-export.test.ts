import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createOutboxBus } from '@casewatch/testing/outbox-bus';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminLogFixture, startAdminLog } from './admin-log-fixture.ts';

const bus = createOutboxBus(systemClock);
let log: AdminLogFixture;
beforeAll(async () => {
  log = await startAdminLog({ bus });
  await log.lookedUp();
});
afterAll(() => log.stop());

test.each(['csv', 'ndjson'])('an export as %s that cannot be audited sends nothing', async (format) => {
  bus.isBroken = true;
  const refused = await log.get(`/api/admin/logs.${format}`);
  expect([refused.status, await refused.json()]).toMatchObject([500, { code: 'INTERNAL' }]);
  bus.isBroken = false;
  const answer = await log.get(`/api/admin/logs.${format}`);
  expect([answer.status, (await answer.text()).includes('GET /case-status/')]).toEqual([200, true]);
});
