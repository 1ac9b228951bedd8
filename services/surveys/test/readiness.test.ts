import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SurveysFixture, startSurveys } from './surveys-fixture.ts';

let surveys: SurveysFixture;
beforeEach(async () => {
  surveys = await startSurveys();
});
afterEach(() => surveys.stop());

const readiness = async () => (await surveys.call('GET', '/readyz')).status;

test('it is ready while its database answers with the newest schema', async () => {
  expect(await readiness()).toBe(200);
});

test('it is not ready while the newest migration has not been applied', async () => {
  await surveys.database.query('DELETE FROM surveys.schema_migrations');
  expect(await readiness()).toBe(503);
  await expect(surveys.service.ready()).rejects.toThrow('0001_schema has not been applied');
});

test('nor while the newest migration of its outbox has not been applied', async () => {
  await surveys.database.query(`DELETE FROM surveys.platform_migrations WHERE name = '0001_events'`);
  expect(await readiness()).toBe(503);
  await expect(surveys.service.ready()).rejects.toThrow('0001_events has not been applied');
});
