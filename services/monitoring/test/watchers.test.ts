import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, type Monitoring, receipt, request, startMonitoring, user } from './monitoring-fixture.ts';

const R = receipt(1);
const ADA = user(1);
const BOB = user(2);

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

const periodOf = async (receiptNumber: string) => (await monitoring.watch(receiptNumber))?.period_days;

test('a first request makes a watch that is due at once', async () => {
  const atMs = monitoring.clock.nowMs();
  await monitoring.requestWatch(ADA, R, 'weekly');
  expect(await monitoring.watch(R)).toMatchObject({
    period_days: 7,
    next_check_at: new Date(atMs),
    owed_since: null,
    last_status: null,
  });
});

test('the period of a watch is the shortest of its watchers', async () => {
  await monitoring.requestWatch(ADA, R, 'monthly');
  await monitoring.requestWatch(BOB, R, 'daily');
  expect(await periodOf(R)).toBe(1);
  await monitoring.requestWatch(BOB, R, 'weekly');
  expect(await periodOf(R)).toBe(7);
  await monitoring.requestWatch(BOB, R, 'none');
  expect(await periodOf(R)).toBe(30);
});

test('with the last watcher the watch goes', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.requestWatch(BOB, R, 'daily');
  await monitoring.requestWatch(ADA, R, 'none');
  expect(await periodOf(R)).toBe(1);
  await monitoring.requestWatch(BOB, R, 'none');
  expect(await monitoring.watches()).toEqual([]);
});

test('a request with a lower version than the one known is ignored', async () => {
  await monitoring.requestWatch(ADA, R, 'none', { version: 8 });
  await monitoring.requestWatch(ADA, R, 'daily', { version: 7 });
  expect(await monitoring.watches()).toEqual([]);
  await monitoring.requestWatch(ADA, R, 'weekly', { version: 10 });
  await monitoring.requestWatch(ADA, R, 'none', { version: 9 });
  expect(await periodOf(R)).toBe(7);
});

test('a watch that begins with a known answer is due a period after that answer', async () => {
  const nowMs = monitoring.clock.nowMs();
  const known = { status: 'Case Was Received', call: 5, ageSeconds: 3_600 };
  await monitoring.requestWatch(ADA, R, 'daily', { known });
  const next = (await monitoring.watch(R))?.next_check_at.getTime() ?? 0;
  expect(next).toBeGreaterThan(nowMs + 21.7 * HOUR);
  expect(next).toBeLessThanOrEqual(nowMs + 23 * HOUR);
  expect(await monitoring.watch(R)).toMatchObject({ last_checked_at: new Date(nowMs - HOUR) });
});

test.each([
  ['has no status', { call: 5, ageSeconds: 60 }],
  ['is of unknown age', { status: 'Case Was Received', call: 5 }],
])('a watch that begins with an answer that %s is due at once', async (_what, known) => {
  await monitoring.requestWatch(ADA, R, 'monthly', { known });
  expect(await monitoring.watch(R)).toMatchObject({
    next_check_at: new Date(monitoring.clock.nowMs()),
    last_checked_at: null,
  });
});

test('a new period counts from the last check', async () => {
  const start = monitoring.clock.nowMs();
  await monitoring.requestWatch(ADA, R, 'monthly');
  await monitoring.observe(R, 'Case Was Received');
  await monitoring.clock.advance(3 * DAY);
  await monitoring.requestWatch(ADA, R, 'weekly');
  const next = (await monitoring.watch(R))?.next_check_at.getTime() ?? 0;
  expect(next).toBeGreaterThan(start + 6.6 * DAY);
  expect(next).toBeLessThanOrEqual(start + 7 * DAY);
  await monitoring.requestWatch(ADA, R, 'daily');
  expect((await monitoring.watch(R))?.next_check_at.getTime()).toBeLessThan(start + DAY + HOUR);
});

test('a new period does not move a check that is owed', async () => {
  await monitoring.requestWatch(ADA, R, 'monthly');
  await monitoring.observe(R, 'Case Was Received');
  await monitoring.clock.advance(31 * DAY);
  const { store } = monitoring.checking;
  await store.claim({ leaseMs: HOUR, limit: 1 });
  const claimed = await monitoring.watch(R);
  expect(claimed?.owed_since).not.toBeNull();
  await monitoring.requestWatch(ADA, R, 'weekly');
  expect(await monitoring.watch(R)).toEqual({ ...claimed, period_days: 7 });
});

test('a second watcher that is added while the first is not committed yet counts too', async () => {
  const [handler] = monitoring.service.consumers;
  const atMs = monitoring.clock.nowMs();
  const handle = (userId: string, frequency: 'daily' | 'monthly', then: () => Promise<void>) =>
    inTransaction(monitoring.pool, async (tx) => {
      const meta = { id: uuidV7(atMs), timeMs: atMs, traceparent: undefined };
      await handler?.handle(request(userId, R, frequency), meta, tx);
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
  const others = await startMonitoring({ database: monitoring.database, clock: monitoring.clock });
  const both = (number: string, ada: 'daily' | 'none', bob: 'monthly' | 'none') => [
    monitoring.requestWatch(ADA, number, ada),
    others.requestWatch(BOB, number, bob),
  ];
  try {
    await Promise.all(receipts.flatMap((number) => both(number, 'daily', 'monthly')));
    expect((await monitoring.watches()).map((row) => row.period_days)).toEqual(receipts.map(() => 1));
    await Promise.all(receipts.flatMap((number) => both(number, 'none', 'none')));
    expect(await monitoring.watches()).toEqual([]);
  } finally {
    await others.stop();
  }
});
