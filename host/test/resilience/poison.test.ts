import { requestRedrive } from '@casewatch/messaging/dead-letters';
import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { Partitioners } from 'kafkajs';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { WITHOUT_DEAD_LETTERS } from '../faults/mutations.ts';
import { beginRound, receiptOf } from '../faults/rounds.ts';
import { mustCome, until } from '../faults/until.ts';
import { startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** R5: messages that can not be parsed, and events whose handler always fails. */

const DEAD_WITHIN_MS = 30_000;
const CASES = 20;

let product: WatchedProduct;
beforeAll(async () => {
  product = await startWatchedProduct({ shape: 'kafka' });
}, TEST_TIMEOUT_MS);
afterAll(() => product.stop());

/** A case whose notification the table refuses, in both of its watchers' events: a defect that has a fix. */
const refuse = (receiptNumber: string) =>
  product.database.query(
    `ALTER TABLE notifications.notifications ADD CONSTRAINT defect CHECK (receipt_number <> '${receiptNumber}')`,
  );
const fix = () => product.database.query('ALTER TABLE notifications.notifications DROP CONSTRAINT defect');

/** Something foreign, on the partition of every case of the round. */
async function sendGarbage(keys: readonly string[]): Promise<void> {
  const { kafka } = product;
  const producer = kafka?.client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer?.connect();
  await producer?.send({
    topic: `${kafka?.topicPrefix}status-changed`,
    messages: keys.map((key) => ({ key, value: '\u0000<html>' })),
  });
  await producer?.disconnect();
}

const deadLetters = async () =>
  (
    await product.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM notifications.dead_letters',
    )
  )[0]?.count;

/** Whether the dead letters are there, everything else is handled, and no group is behind. */
const goesOn = (letters: number, withinMs: number) =>
  until(withinMs, async () => (await deadLetters()) === letters && (await product.handledAll()));

test('R5: an event that cannot be handled is in the dead letters within 30 s, all others are handled, and a redrive after the fix applies it once', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const bad = receiptOf(1, 7);
  await refuse(bad);
  await mustCome(
    'the topic',
    async () => (await product.kafka?.topics())?.some((topic) => topic.endsWith('status-changed')) ?? false,
  );
  await sendGarbage([receiptOf(1, 1), receiptOf(1, 2), receiptOf(1, 3)]);
  const { verdict } = await beginRound(product, 1, CASES);
  // Three messages that are no events, and the two notifications that the table refuses.
  expect(await goesOn(5, DEAD_WITHIN_MS)).toBe(true);
  expect(await verdict()).toEqual({ missing: 2, doubled: 0 });

  await fix();
  const logger = pino({ level: 'silent' });
  const url = product.database.urlFor('notifications');
  const pool = createDatabasePool({ url, service: 'notifications', maximum: 1, logger });
  expect(await requestRedrive(poolExecutor(pool), Date.now())).toBe(5);
  await pool.end();
  await mustCome('the two are notified', async () => (await verdict()).missing === 0);
  expect(await goesOn(3, DEAD_WITHIN_MS)).toBe(true);
  expect(await verdict()).toEqual({ missing: 0, doubled: 0 });
});

test('R5, shown able to fail: without dead letters the same events hold their groups up for good', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  for (const victim of product.victims) await product.restart(victim, WITHOUT_DEAD_LETTERS);
  const before = (await deadLetters()) ?? 0;
  await refuse(receiptOf(2, 7));
  await beginRound(product, 2, CASES);
  expect(await goesOn(before + 2, 12_000)).toBe(false);
  expect((await product.kafka?.lag())?.behind).toBeGreaterThan(0);
});
