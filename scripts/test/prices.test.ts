import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { publishedEvents } from '@casewatch/testing/outbox-bus';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startCommand, until } from './run-command.ts';

const FAR = '2999-01-15';
let database: TestDatabase;
let folder: string;
beforeAll(() => {
  folder = makeMemoryFolder('prices');
});
beforeEach(async () => {
  database = await createTestDatabase();
  await database.query(
    "INSERT INTO billing.prices VALUES ('price_new', 1200, 'month', 'Pro', 0, now()), ('price_year', 12000, 'year', 'Pro', 1, now())",
  );
  for (const id of ['sub_1', 'sub_2']) await subscribe(id);
  return () => database.drop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function subscribe(id: string) {
  const userId = randomUUID();
  await database.query('INSERT INTO billing.customers (user_id) VALUES ($1)', [userId]);
  await database.query(
    `INSERT INTO billing.subscriptions (user_id, stripe_subscription_id, status, tier, price_id, price_cents, price_interval,
       price_name, period_ends_at, payment_failed, awaits_card, trial_used)
     VALUES ($1, $2, 'active', 'pro', 'price_old', 900, 'month', 'Pro', now(), false, false, true)`,
    [userId, id],
  );
}
const start = (words: string, url = database.ownerUrl, file = 'scripts/prices.ts') =>
  startCommand(folder, file, words.split(' ').filter(Boolean), { DATABASE_URL: url });
async function prices(...input: Parameters<typeof start>) {
  const run = start(...input);
  return { code: await run.code, output: run.output() };
}
const events = () => publishedEvents(database, 'billing');
const ANNOUNCE = `announce price_old price_new ${FAR}`;
const STATUS = 'status price_old price_new';

test('a dry run counts and notifies no one, and the status names who was not notified', async () => {
  const [dry, status] = await Promise.all([prices(`${ANNOUNCE} --dry-run`), prices(STATUS)]);
  expect(dry).toMatchObject({ code: 0, output: expect.stringContaining(`would be notified of ${FAR}: 2`) });
  expect(dry.output).toContain('price_old ($9 a month) to price_new ($12 a month)');
  expect(status.output).toMatch(/^not notified: sub_1\nnot notified: sub_2$/m);
  expect(status.code).toBe(1);
  expect(await events()).toEqual([]);
});

test('everyone is notified, and the status agrees', async () => {
  const announced = await prices(ANNOUNCE);
  expect(announced).toMatchObject({ code: 0, output: expect.stringContaining(`\nnotified of ${FAR}: 2`) });
  const status = await prices(STATUS);
  expect(status).toMatchObject({ code: 0, output: expect.stringContaining(`notified before, of ${FAR}: 2`) });
  await database.query("UPDATE billing.subscriptions SET price_id = 'price_new', price_cents = 1200");
  const moved = await prices(STATUS);
  expect(moved).toEqual({ code: 0, output: 'No subscription has the price price_old any more.\n' });
  const mistyped = await prices('status price_odl price_new');
  expect(mistyped).toEqual({
    code: 1,
    output: expect.stringContaining('No subscription has the price price_odl.'),
  });
});

test('again it notifies those who came since, also in the image with the role of billing', async () => {
  const program = () => prices(`prices ${ANNOUNCE}`, database.urlFor('billing'), 'host/src/container.ts');
  expect((await program()).output).toContain(`\nnotified of ${FAR}: 2`);
  await subscribe('sub_3');
  const { output } = await program();
  expect(output).toContain(`notified before, of ${FAR}: 2`);
  expect(output).toContain(`\nnotified of ${FAR}: 1`);
  expect(await events()).toHaveLength(3);
});

test('killed in the middle it has notified no one, and the next run notifies each once', async () => {
  const blocker = await database.openPool('billing', 1).connect();
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE outbox IN SHARE MODE');
  const run = start(ANNOUNCE);
  await until(async () => {
    const waiting = await database.query(
      `SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
       WHERE datname = current_database() AND NOT granted AND relation = 'billing.outbox'::regclass`,
    );
    return waiting.length > 0 || undefined;
  });
  run.child.kill('SIGKILL');
  await run.code;
  await blocker.query('ROLLBACK');
  blocker.release();
  expect(await events()).toEqual([]);
  expect(await prices(ANNOUNCE)).toMatchObject({ code: 0 });
  expect(await events()).toHaveLength(2);
});

test.each([
  ['', 2, 'npm run prices -- announce'],
  ['announce price_old price_new', 2, 'needs a day'],
  ['announce price_old price_new 2999-02-30', 2, 'needs a day'],
  ['announce price_old', 2, 'needs the ids of two prices'],
  [`${STATUS} ${FAR}`, 2, 'two prices alone'],
  ['raise price_old price_new', 2, 'What is raise?'],
  ['announce price_old price_new 2026-01-05', 1, 'is too near'],
  [`announce price_old price_year ${FAR}`, 1, 'paid by the month'],
  [`announce price_old price_none ${FAR}`, 1, 'no other price'],
  ['status price_none price_new', 1, 'No subscription has the price price_none'],
])('the words "%s" are refused with what would be right, and notify no one', async (words, code, output) => {
  expect(await prices(words)).toEqual({ code, output: expect.stringContaining(output) });
  expect(await events()).toEqual([]);
});
