import { afterEach, beforeEach, expect, test } from 'vitest';
import { type IdentityFixture, startIdentity } from './identity-fixture.ts';

let identity: IdentityFixture;
beforeEach(async () => {
  identity = await startIdentity();
});
afterEach(() => identity.stop());

const readiness = async () => (await identity.send('GET', '/readyz')).status;

test('it is ready while its database answers with the newest schema', async () => {
  expect(await readiness()).toBe(200);
});

test('it is not ready while the newest migration has not been applied', async () => {
  await identity.database.query('DELETE FROM identity.schema_migrations');
  expect(await readiness()).toBe(503);
  await expect(identity.service.ready()).rejects.toThrow('0001_schema has not been applied');
});

test('it is not ready while its database refuses it, and ready again afterwards', async () => {
  await identity.database.query('REVOKE USAGE ON SCHEMA identity FROM casewatch_identity');
  expect(await readiness()).toBe(503);
  await identity.database.query('GRANT USAGE ON SCHEMA identity TO casewatch_identity');
  expect(await readiness()).toBe(200);
});
