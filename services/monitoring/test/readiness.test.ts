import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Monitoring, startMonitoring } from './monitoring-fixture.ts';

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

const readiness = async () => (await monitoring.call('GET', '/readyz')).status;

test('it is ready while its database answers with the newest schema', async () => {
  expect(await readiness()).toBe(200);
});

test('it is not ready while the newest migration has not been applied', async () => {
  await monitoring.database.query('DELETE FROM monitoring.schema_migrations');
  expect(await readiness()).toBe(503);
  await expect(monitoring.service.ready()).rejects.toThrow('0001_schema has not been applied');
});

test('it is not ready while its database refuses it, and ready again afterwards', async () => {
  await monitoring.database.query('REVOKE USAGE ON SCHEMA monitoring FROM casewatch_monitoring');
  expect(await readiness()).toBe(503);
  await monitoring.database.query('GRANT USAGE ON SCHEMA monitoring TO casewatch_monitoring');
  expect(await readiness()).toBe(200);
});
