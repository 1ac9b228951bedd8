import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, type Monitoring, receipt, startMonitoring, user } from './monitoring-fixture.ts';

const R = receipt(1);
const ADA = user(1);
const BOB = user(2);

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

const periodOf = async (receiptNumber: string) => (await monitoring.watch(receiptNumber))?.period_days;

test('a first wish makes a watch that is due at once', async () => {
  const atMs = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'weekly', atMs);
  expect(await monitoring.watch(R)).toMatchObject({
    period_days: 7,
    next_check_at: new Date(atMs),
    owed_since: null,
    last_status: null,
  });
});

test('the period of a watch is the shortest of its watchers', async () => {
  await monitoring.wish(ADA, R, 'monthly');
  await monitoring.wish(BOB, R, 'daily');
  expect(await periodOf(R)).toBe(1);
  await monitoring.wish(BOB, R, 'weekly', monitoring.clock.nowMs() + 1);
  expect(await periodOf(R)).toBe(7);
  await monitoring.wish(BOB, R, 'none', monitoring.clock.nowMs() + 2);
  expect(await periodOf(R)).toBe(30);
});

test('with the last watcher the watch goes', async () => {
  await monitoring.wish(ADA, R, 'daily');
  await monitoring.wish(BOB, R, 'daily');
  await monitoring.wish(ADA, R, 'none');
  expect(await periodOf(R)).toBe(1);
  await monitoring.wish(BOB, R, 'none');
  expect(await monitoring.watches()).toEqual([]);
});

test('a wish that was published before the one known is ignored', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'none', now);
  await monitoring.wish(ADA, R, 'daily', now - 1);
  expect(await monitoring.watches()).toEqual([]);
  await monitoring.wish(ADA, R, 'weekly', now + 10);
  await monitoring.wish(ADA, R, 'none', now + 5);
  expect(await periodOf(R)).toBe(7);
});

test('of two wishes in the same millisecond the one that comes second counts', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'daily', now);
  await monitoring.wish(ADA, R, 'none', now);
  expect(await monitoring.watches()).toEqual([]);
});

test('a new period counts from the last check', async () => {
  const start = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'monthly');
  await monitoring.observe(R, 'Case Was Received');
  await monitoring.clock.advance(3 * DAY);
  await monitoring.wish(ADA, R, 'weekly');
  const next = (await monitoring.watch(R))?.next_check_at.getTime() ?? 0;
  expect(next).toBeGreaterThan(start + 6.6 * DAY);
  expect(next).toBeLessThanOrEqual(start + 7 * DAY);
  await monitoring.wish(ADA, R, 'daily', monitoring.clock.nowMs() + 1);
  expect((await monitoring.watch(R))?.next_check_at.getTime()).toBeLessThan(start + DAY + HOUR);
});

test('a new period does not move a check that is owed', async () => {
  await monitoring.wish(ADA, R, 'monthly');
  await monitoring.observe(R, 'Case Was Received');
  await monitoring.clock.advance(31 * DAY);
  const { store } = monitoring.checking;
  await store.claim({ nowMs: monitoring.clock.nowMs(), leaseMs: HOUR, limit: 1 });
  const claimed = await monitoring.watch(R);
  expect(claimed?.owed_since).not.toBeNull();
  await monitoring.wish(ADA, R, 'weekly');
  expect(await monitoring.watch(R)).toEqual({ ...claimed, period_days: 7 });
});

test('a watch that begins late was due when it was wished for, never in the future', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.wish(ADA, R, 'daily', now - HOUR);
  await monitoring.wish(ADA, receipt(2), 'daily', now + HOUR);
  expect((await monitoring.watch(R))?.next_check_at).toEqual(new Date(now - HOUR));
  expect((await monitoring.watch(receipt(2)))?.next_check_at).toEqual(new Date(now));
});

test('a second watcher that is added while the first is not committed yet counts too', async () => {
  const [handler] = monitoring.service.consumers;
  const atMs = monitoring.clock.nowMs();
  const handle = (userId: string, frequency: string, then: () => Promise<void>) =>
    inTransaction(monitoring.pool, async (tx) => {
      const meta = { id: uuidV7(atMs), timeMs: atMs, traceparent: undefined };
      await handler?.handle({ userId, receiptNumber: R, frequency }, meta, tx);
      await then();
    });
  const written = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const first = handle(ADA, 'daily', () => {
    written.resolve();
    return commit.promise;
  });
  await written.promise;
  const second = handle(BOB, 'monthly', async () => undefined);
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(() => monitoring.database.query(waiting)).toHaveLength(1);
  commit.resolve();
  await Promise.all([first, second]);
  expect(await periodOf(R)).toBe(1);
});

test('two users that begin and end at the same time leave one watch, or none', async () => {
  const receipts = Array.from({ length: 40 }, (_, n) => receipt(n + 1));
  const now = monitoring.clock.nowMs();
  const others = await startMonitoring({ database: monitoring.database, clock: monitoring.clock });
  const both = (number: string, ada: 'daily' | 'none', bob: 'monthly' | 'none', atMs: number) => [
    monitoring.wish(ADA, number, ada, atMs),
    others.wish(BOB, number, bob, atMs),
  ];
  try {
    await Promise.all(receipts.flatMap((number) => both(number, 'daily', 'monthly', now)));
    expect((await monitoring.watches()).map((row) => row.period_days)).toEqual(receipts.map(() => 1));
    await Promise.all(receipts.flatMap((number) => both(number, 'none', 'none', now + 1)));
    expect(await monitoring.watches()).toEqual([]);
  } finally {
    await others.stop();
  }
});
