import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockReceipts } from '../src/data/watch-rows.ts';
import { type Monitoring, receipt, startMonitoring, user } from './monitoring-fixture.ts';

const SHARED = receipt(1);
const OWN = receipt(2);
const ADA = user(1);
const BOB = user(2);

let monitoring: Monitoring;
let now: number;
beforeEach(async () => {
  monitoring = await startMonitoring();
  now = monitoring.clock.nowMs();
  await monitoring.requestWatch(ADA, SHARED, 'daily');
  await monitoring.requestWatch(BOB, SHARED, 'weekly');
  await monitoring.requestWatch(ADA, OWN, 'weekly');
});
afterEach(() => monitoring.stop());

const state = async () =>
  (await monitoring.watches()).map(({ receipt_number, period_days }) => [receipt_number, period_days]);

test('deleting a user erases every row of hers but the tombstone', async () => {
  await monitoring.deleteUser(ADA);
  expect(await state()).toEqual([[SHARED, 7]]);
  expect((await monitoring.watchers()).map((row) => row.user_id)).toEqual([BOB]);
  expect(await monitoring.database.query('SELECT * FROM monitoring.deleted_users')).toEqual([
    { user_id: ADA, deleted_at: new Date(now) },
  ]);
});

test('a late event does not restore a deleted user', async () => {
  await monitoring.deleteUser(ADA);
  const before = await monitoring.watchers();
  await monitoring.requestWatch(ADA, OWN, 'daily');
  await monitoring.deleteUser(ADA);
  expect(await monitoring.watchers()).toEqual(before);
  expect(await state()).toEqual([[SHARED, 7]]);
  await monitoring.requestWatch(BOB, OWN, 'monthly');
  expect(await state()).toEqual([
    [SHARED, 7],
    [OWN, 30],
  ]);
});

test('a user with very many cases is erased, with a bounded number of locks', async () => {
  const many = Array.from({ length: 5_000 }, (_, n) => receipt(1_000 + n));
  await monitoring.database.query(
    `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days)
     SELECT $1, receipt_number, 1 FROM unnest($2::text[]) AS receipt_number`,
    [ADA, many],
  );
  const locks = await inTransaction(monitoring.pool, async (tx) => {
    await lockReceipts(tx, many);
    return tx.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`, []);
  });
  expect(locks.length).toBeLessThanOrEqual(1_000);
  await monitoring.deleteUser(ADA);
  expect((await monitoring.watchers()).map((row) => row.user_id)).toEqual([BOB]);
  expect(await state()).toEqual([[SHARED, 7]]);
});

test('a case that is watched while a user with very many is erased stays watched', async () => {
  const many = Array.from({ length: 2_000 }, (_, n) => receipt(1_000 + n));
  await monitoring.database.query(
    `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days)
     SELECT $1, receipt_number, 1 FROM unnest($2::text[]) AS receipt_number`,
    [ADA, many],
  );
  const others = await startMonitoring({ database: monitoring.database, clock: monitoring.clock });
  const added = many.slice(0, 20);
  try {
    await Promise.all([
      others.deleteUser(ADA),
      ...added.map((receiptNumber) => monitoring.requestWatch(BOB, receiptNumber, 'daily')),
    ]);
  } finally {
    await others.stop();
  }
  expect(await state()).toEqual([[SHARED, 7], ...added.map((receiptNumber) => [receiptNumber, 1])]);
});

test('a request that is handled while its user is being deleted leaves nothing behind', async () => {
  const others = await startMonitoring({ database: monitoring.database, clock: monitoring.clock });
  try {
    for (let n = 10; n < 30; n++) {
      await Promise.all([
        monitoring.requestWatch(user(n), receipt(n), 'daily'),
        others.deleteUser(user(n)),
        monitoring.requestWatch(user(n), receipt(n + 100), 'daily'),
      ]);
    }
  } finally {
    await others.stop();
  }
  expect(await state()).toHaveLength(2);
  expect(await monitoring.deadLetters()).toEqual([]);
});
