import { schemaOf } from '@casewatch/service-kit/database/service-url';
import { startTestService } from '@casewatch/testing/test-service';
import { expect, test } from 'vitest';
import { registry } from '../src/registry.ts';
import { loadServices } from '../src/roles.ts';

const services = await loadServices(registry);
/** What a service does not start without. */
const ENV = { AGENCY_CLIENT_ID: 'unused', AGENCY_CLIENT_SECRET: 'unused' };

test.each(services)(
  '$name is ready while its database answers with the newest schema, and ready again afterwards',
  async (definition) => {
    const { call, database, service, stop } = await startTestService(definition, { env: ENV });
    const readiness = async () => (await call('GET', '/readyz')).status;
    const schema = schemaOf(definition.name);
    try {
      expect(await readiness()).toBe(200);
      for (const [table, name] of [
        ['schema_migrations', '0001_schema'],
        ['platform_migrations', '0001_events'],
      ]) {
        const rename = (from: string, to: string) =>
          database.query(`UPDATE ${schema}.${table} SET name = '${to}' WHERE name = '${from}'`);
        await rename(`${name}`, 'older');
        expect(await readiness(), table).toBe(503);
        await expect(service.ready()).rejects.toThrow(`${name} has not been applied`);
        await rename('older', `${name}`);
        expect(await readiness(), table).toBe(200);
      }
      await database.query(`REVOKE USAGE ON SCHEMA ${schema} FROM casewatch_${schema}`);
      expect(await readiness()).toBe(503);
      await database.query(`GRANT USAGE ON SCHEMA ${schema} TO casewatch_${schema}`);
      expect(await readiness()).toBe(200);
    } finally {
      await stop();
    }
  },
);
