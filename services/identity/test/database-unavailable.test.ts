import { startTcpProxy } from '@casewatch/testing/tcp-proxy';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { startTestService } from '@casewatch/testing/test-service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { service } from '../src/service.ts';

const person = { email: 'away@example.test', password: 'away for a while', firstName: 'A', lastName: 'Way' };
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
let identity: Awaited<ReturnType<typeof startTestService>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const direct = new URL(database.urlFor('identity'));
  proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) });
  const throughProxy = new URL(direct);
  throughProxy.port = String(proxy.port);
  identity = await startTestService(service, {
    database: { ...database, urlFor: () => throughProxy.href },
  });
});
afterAll(async () => {
  await proxy.set('pass');
  await identity.stop();
  await proxy.stop();
  await database.drop();
});

test('while the database is unavailable, requests get 503 with Retry-After and nothing is left half done; then all works', async () => {
  await proxy.set('refuse');
  for (const path of ['/api/auth/signup', '/api/auth/login']) {
    const { email, password } = person;
    const refused = await identity.call('POST', path, {
      body: path.endsWith('login') ? { email, password } : person,
    });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' });
  }
  expect((await identity.call('GET', '/readyz')).status).toBe(503);
  expect((await identity.call('GET', '/livez')).status).toBe(200);

  await proxy.set('pass');
  expect((await identity.call('POST', '/api/auth/signup', { body: person })).status).toBe(201);
  expect((await identity.call('GET', '/readyz')).status).toBe(200);
});
