import { routes } from '@casewatch/contracts/routes';
import { startTestService } from '@casewatch/testing/test-service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '../src/registry.ts';
import { loadServices } from '../src/roles.ts';

type TestService = Awaited<ReturnType<typeof startTestService>>;
const started: { name: string; running: TestService }[] = [];
const AGENCY = { AGENCY_CLIENT_ID: 'id', AGENCY_CLIENT_SECRET: 'secret' };

beforeAll(async () => {
  for (const definition of await loadServices(registry)) {
    const running = await startTestService(definition, { env: AGENCY });
    started.push({ name: definition.name, running });
  }
});
afterAll(async () => {
  for (const { running } of started) await running.stop();
});

test('every route that is declared is served by its service, and nothing else is', () => {
  const served = started.flatMap(({ name, running }) =>
    running.service.routes.map(({ contract }) => ({ name, contract })),
  );
  expect(served.map(({ name, contract }) => `${name} ${contract.id}`).sort()).toEqual(
    routes.map((contract) => `${contract.service} ${contract.id}`).sort(),
  );
});

test('no two routes share an id, or a method and a path', () => {
  expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length);
  expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
});
