import {
  type ProductProcesses,
  startProductProcesses,
} from '@casewatch/dev-stack/processes/product-processes';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '../../src/registry.ts';

/** Every role as a process of its own: what one publishes reaches the others through Kafka. */

let database: TestDatabase;
let product: ProductProcesses;

beforeAll(async () => {
  database = await createTestDatabase();
  product = await startProductProcesses({
    services: registry,
    ownerUrl: database.ownerUrl,
    brokers: await testKafkaBrokers(),
    roles: { cases: { replicas: 2 } },
  });
}, 180_000);
afterAll(async () => {
  await product?.stop();
  await database.drop();
});

const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const password = 'together from afar';

async function signUp(email: string): Promise<string> {
  const answer = await fetch(`${product.url}/api/auth/signup`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password, firstName: 'A', lastName: 'Part' }),
  });
  expect(answer.status).toBe(201);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries === 300) throw new Error(product.logs());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('an account deleted in one process is deleted in another, each with its own database role', async () => {
  const cookie = await signUp('apart@example.test');
  const deleted = await fetch(`${product.url}/api/auth/me`, {
    method: 'DELETE',
    headers: { ...headers, cookie },
    body: JSON.stringify({ currentPassword: password }),
  });
  expect(deleted.status).toBe(200);
  await until(async () => {
    const [row] = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM cases.inbox');
    return row?.count !== 0;
  });
  const waiting = await database.query('SELECT topic FROM identity.outbox WHERE done_at IS NULL');
  expect(waiting).toEqual([]);
}, 60_000);

test('one of two replicas is killed: its role keeps answering, and the replica comes back at its place', async () => {
  const cookie = await signUp('replica@example.test');
  const list = () => fetch(`${product.url}/api/saved-cases`, { headers: { ...headers, cookie } });
  const [first] = product.of('cases');
  await first?.kill('SIGKILL');
  expect(first?.pid()).toBeUndefined();
  // A connection kept from before may still lead to the one that has exited.
  await until(async () => (await list()).status === 200);
  await first?.restart();
  expect((await fetch(`${first?.url}/readyz`)).status).toBe(200);
}, 60_000);

test('every process stops in order on SIGTERM, and none was warned of', async () => {
  const codes = await Promise.all(product.processes.map((process) => process.stop()));
  expect(codes).toEqual(product.processes.map(() => 0));
  expect(product.logs()).not.toContain('Warning');
}, 60_000);
