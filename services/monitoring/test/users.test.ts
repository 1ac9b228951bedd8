import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, type Monitoring, receipt, startMonitoring, user } from './monitoring-fixture.ts';

const SHARED = receipt(1);
const OWN = receipt(2);
const ADA = user(1);
const BOB = user(2);

let monitoring: Monitoring;
let now: number;
beforeEach(async () => {
  monitoring = await startMonitoring();
  now = monitoring.clock.nowMs();
  await monitoring.wish(ADA, SHARED, 'daily');
  await monitoring.wish(BOB, SHARED, 'weekly');
  await monitoring.wish(ADA, OWN, 'weekly');
});
afterEach(() => monitoring.stop());

const state = async () =>
  (await monitoring.watches()).map(({ receipt_number, period_days }) => [receipt_number, period_days]);

test('a downgrade ends all that the user watches, and what others watch continues at their period', async () => {
  await monitoring.setTier(ADA, 'free', now + HOUR);
  expect(await state()).toEqual([[SHARED, 7]]);
  expect(await monitoring.listFor(ADA)).toEqual([]);
  await monitoring.clock.advance(2 * HOUR);
  await monitoring.observe(SHARED, 'Case Was Received');
  await monitoring.clock.advance(HOUR);
  await monitoring.observe(SHARED, 'Case Was Approved');
  expect((await monitoring.published()).map(({ userId }) => userId)).toEqual([BOB]);
});

test('a change of name on the pro plan ends nothing', async () => {
  await monitoring.setTier(ADA, 'pro', now + HOUR);
  expect(await state()).toHaveLength(2);
});

test('a wish from before the downgrade is void, one from after the next upgrade counts', async () => {
  await monitoring.setTier(ADA, 'free', now + HOUR);
  await monitoring.wish(ADA, OWN, 'daily', now + HOUR - 1);
  expect(await state()).toEqual([[SHARED, 7]]);
  await monitoring.setTier(ADA, 'pro', now + 2 * HOUR);
  await monitoring.wish(ADA, OWN, 'monthly', now + 3 * HOUR);
  expect(await state()).toEqual([
    [SHARED, 7],
    [OWN, 30],
  ]);
});

test('a downgrade that is handed over late leaves what was wished for after it', async () => {
  await monitoring.wish(ADA, OWN, 'daily', now + 3 * HOUR);
  await monitoring.setTier(ADA, 'free', now + HOUR);
  expect(await state()).toEqual([
    [SHARED, 7],
    [OWN, 1],
  ]);
});

test('deleting a user erases every row of hers but the tombstone', async () => {
  await monitoring.setTier(ADA, 'free', now - HOUR);
  await monitoring.deleteUser(ADA);
  expect(await state()).toEqual([[SHARED, 7]]);
  expect((await monitoring.watchers()).map((row) => row.user_id)).toEqual([BOB]);
  expect(await monitoring.database.query('SELECT * FROM monitoring.downgrades')).toEqual([]);
  expect(await monitoring.database.query('SELECT user_id FROM monitoring.deleted_users')).toEqual([
    { user_id: ADA },
  ]);
});

test('a late event does not restore a deleted user', async () => {
  await monitoring.deleteUser(ADA);
  const before = await monitoring.watchers();
  await monitoring.wish(ADA, OWN, 'daily', now + HOUR);
  await monitoring.setTier(ADA, 'free', now + HOUR);
  await monitoring.deleteUser(ADA);
  expect(await monitoring.watchers()).toEqual(before);
  expect(await state()).toEqual([[SHARED, 7]]);
  expect(await monitoring.database.query('SELECT * FROM monitoring.downgrades')).toEqual([]);
});

test('a wish that is handled while its user is being deleted leaves nothing behind', async () => {
  const others = await startMonitoring({ database: monitoring.database, clock: monitoring.clock });
  try {
    for (let n = 10; n < 30; n++) {
      await Promise.all([
        monitoring.wish(user(n), receipt(n), 'daily'),
        others.deleteUser(user(n)),
        monitoring.wish(user(n), receipt(n + 100), 'daily'),
      ]);
    }
  } finally {
    await others.stop();
  }
  expect(await state()).toHaveLength(2);
  expect(await monitoring.deadLetters()).toEqual([]);
});
