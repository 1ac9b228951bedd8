import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWatchLevels } from '../src/data/watch-levels.ts';
import { HOUR, MINUTE, type Monitoring, receipt, startMonitoring, user } from './monitoring-fixture.ts';

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

const claim = (limit: number) => monitoring.checking.store.claim({ leaseMs: MINUTE, limit });

/** Watches 1 to `count`, the last one due longest: a minute apart. */
async function fill(count: number): Promise<void> {
  await monitoring.database.query(
    `INSERT INTO monitoring.watches (receipt_number, period_days, next_check_at)
     SELECT 'EAC' || lpad(n::text, 10, '0'), 1, $2::timestamptz - n * interval '1 minute'
     FROM generate_series(1, $1::int) AS n`,
    [count, new Date(monitoring.clock.nowMs())],
  );
}

test('what is due longest is claimed first', async () => {
  await fill(10);
  expect((await claim(3)).receiptNumbers).toEqual([receipt(10), receipt(9), receipt(8)]);
  expect((await claim(2)).receiptNumbers).toEqual([receipt(7), receipt(6)]);
});

test('what is not due is not claimed', async () => {
  await monitoring.requestWatch(user(1), receipt(1), 'daily');
  await monitoring.observe(receipt(1), 'Case Was Received');
  expect((await claim(10)).receiptNumbers).toEqual([]);
});

test('claimers at the same time share no watch and leave none', async () => {
  await fill(1_000);
  const others = await startMonitoring({ database: monitoring.database, clock: monitoring.clock });
  try {
    const stores = [monitoring.checking.store, others.checking.store];
    const take = async (n: number) => {
      const taken: string[] = [];
      for (;;) {
        const { receiptNumbers } = await (stores[n % 2] ?? others.checking.store).claim({
          leaseMs: MINUTE,
          limit: 50,
        });
        taken.push(...receiptNumbers);
        if (receiptNumbers.length === 0) return taken;
      }
    };
    const taken = (await Promise.all(Array.from({ length: 8 }, (_, n) => take(n)))).flat();
    // A claim that found every row locked stops early; no two may have the same row.
    expect(new Set(taken).size).toBe(taken.length);
    expect(taken.length + (await take(0)).length).toBe(1_000);
  } finally {
    await others.stop();
  }
});

test('a claim whose process died is due again when its lease ends, and goes before the rest', async () => {
  await fill(4);
  const [dead] = (await claim(1)).receiptNumbers;
  await monitoring.clock.advance(MINUTE - 1);
  expect((await claim(1)).receiptNumbers).not.toContain(dead);
  await monitoring.clock.advance(1);
  expect((await claim(2)).receiptNumbers[0]).toBe(dead);
});

test('a failed check is tried again after a pause that doubles up to an hour, and stays owed since it was due', async () => {
  await fill(1);
  const owedSince = (await monitoring.watch(receipt(1)))?.next_check_at;
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    const held = await claim(1);
    expect(held.receiptNumbers).toEqual([receipt(1)]);
    const now = monitoring.clock.nowMs();
    await monitoring.checking.store.postpone(held, held.receiptNumbers, 'AGENCY_UNAVAILABLE');
    const row = await monitoring.watch(receipt(1));
    expect(row).toMatchObject({
      owed_since: owedSince,
      attempts: attempt + 1,
      last_failure: 'AGENCY_UNAVAILABLE',
    });
    const pause = (row?.next_check_at.getTime() ?? 0) - now;
    pauses.push(pause / MINUTE);
    await monitoring.clock.advance(pause);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});

test('a watch that failed goes before younger ones when its pause is over', async () => {
  await fill(6);
  const held = await claim(1);
  await monitoring.checking.store.postpone(held, held.receiptNumbers, 'AGENCY_UNAVAILABLE');
  expect((await claim(1)).receiptNumbers).toEqual([receipt(5)]);
  await monitoring.clock.advance(MINUTE);
  expect((await claim(3)).receiptNumbers[0]).toBe(receipt(6));
});

test('a claim lists what is owed longest first, also among those that failed', async () => {
  await fill(6);
  const failing = await claim(2);
  await monitoring.checking.store.postpone(failing, failing.receiptNumbers, 'AGENCY_BUSY');
  await monitoring.clock.advance(MINUTE);
  expect((await claim(4)).receiptNumbers).toEqual([receipt(6), receipt(5), receipt(4), receipt(3)]);
});

test('watches that always fail leave half of every claim to the others', async () => {
  await fill(40);
  const failing = await claim(20);
  await monitoring.checking.store.postpone(failing, failing.receiptNumbers, 'AGENCY_UNAVAILABLE');
  await monitoring.clock.advance(HOUR);
  const next = (await claim(10)).receiptNumbers;
  expect(next.filter((number) => failing.receiptNumbers.includes(number))).toHaveLength(5);
  expect(next).toHaveLength(10);
});

test('what is released is due as before', async () => {
  await fill(3);
  const before = await monitoring.watches();
  const held = await claim(2);
  await monitoring.checking.store.release(held, held.receiptNumbers, null);
  expect(await monitoring.watches()).toEqual(before);
});

test('a release says why, and keeps what was known where there is nothing to say', async () => {
  await fill(1);
  const { store } = monitoring.checking;
  for (const [failure, known] of [
    ['BUDGET_SPENT', 'BUDGET_SPENT'],
    [null, 'BUDGET_SPENT'],
    ['UNAVAILABLE', 'UNAVAILABLE'],
  ] as const) {
    const held = await claim(1);
    await store.release(held, held.receiptNumbers, failure);
    expect(await monitoring.watch(receipt(1))).toMatchObject({ last_failure: known, owed_since: null });
  }
});

test('an expired lease changes nothing any more', async () => {
  await fill(1);
  const lost = await claim(1);
  await monitoring.clock.advance(MINUTE);
  const held = await claim(1);
  expect(held.receiptNumbers).toEqual(lost.receiptNumbers);
  const before = await monitoring.watches();
  const { store } = monitoring.checking;
  await store.finish(lost, lost.receiptNumbers);
  await store.postpone(lost, lost.receiptNumbers, 'AGENCY_UNAVAILABLE');
  await store.release(lost, lost.receiptNumbers, null);
  expect(await monitoring.watches()).toEqual(before);
});

test('a watch that was observed while it was claimed keeps the status of the observation', async () => {
  await monitoring.requestWatch(user(1), receipt(1), 'daily');
  const held = await claim(1);
  await monitoring.observe(receipt(1), 'Case Was Received');
  const before = await monitoring.watches();
  await monitoring.checking.store.postpone(held, held.receiptNumbers, 'AGENCY_UNAVAILABLE');
  expect(await monitoring.watches()).toEqual(before);
});

test('watches that were checked at one moment spread over a part of their period', async () => {
  await fill(500);
  const held = await claim(500);
  const now = monitoring.clock.nowMs();
  await monitoring.checking.store.finish(held, held.receiptNumbers);
  const hours = (await monitoring.watches()).map((row) => (row.next_check_at.getTime() - now) / HOUR);
  expect(Math.max(...hours)).toBeLessThanOrEqual(24);
  expect(Math.min(...hours)).toBeGreaterThanOrEqual(22.8);
  const quarters = [0, 1, 2, 3].map(
    (n) => hours.filter((h) => Math.min(3, Math.floor((h - 22.8) / 0.3)) === n).length,
  );
  for (const size of quarters) expect(size).toBeGreaterThan(80);
});

/** What is owed becomes the given number of cases that had a status and are denied now. */
async function deny(count: number) {
  await monitoring.database.query(
    `UPDATE monitoring.watches SET last_status = 'Case Was Received', status_call = 1`,
  );
  const held = await claim(count);
  expect(held.receiptNumbers).toHaveLength(count);
  await monitoring.checking.store.deny(held, held.receiptNumbers, 'RECEIPT_NOT_RECOGNIZED');
  return held.receiptNumbers;
}

test('a known case that the agency denies is tried like a failed one, every hour for a day, and then by its period', async () => {
  await fill(1);
  await deny(1);
  const pauses: number[] = [];
  for (let total = 0; total < 40 * HOUR; ) {
    const row = await monitoring.watch(receipt(1));
    const pause = (row?.next_check_at.getTime() ?? 0) - monitoring.clock.nowMs();
    pauses.push(pause / MINUTE);
    total += pause;
    await monitoring.clock.advance(pause);
    // Alone it gets every tenth claim of one.
    let held = await claim(1);
    for (let n = 0; n < 10 && held.receiptNumbers.length === 0; n++) held = await claim(1);
    await monitoring.checking.store.deny(held, held.receiptNumbers, 'AGENCY_REFUSED');
  }
  const [first = 0] = pauses.slice(30);
  expect(pauses.slice(0, 30)).toEqual([1, 2, 4, 8, 16, 32, ...Array(24).fill(60)]);
  expect(first).toBeGreaterThanOrEqual(0.95 * 24 * 60);
  expect(await monitoring.watch(receipt(1))).toMatchObject({
    owed_since: null,
    last_failure: 'AGENCY_REFUSED',
  });
});

test('a status ends the tries of a denied case, and a denial after it begins them anew', async () => {
  await monitoring.requestWatch(user(1), receipt(1), 'daily');
  await monitoring.observe(receipt(1), 'Case Was Received');
  await monitoring.clock.advance(25 * HOUR);
  await deny(1);
  await monitoring.observe(receipt(1), 'Case Was Received');
  expect(await monitoring.watch(receipt(1))).toMatchObject({
    denials: 0,
    owed_since: null,
    last_failure: null,
  });
  await monitoring.clock.advance(25 * HOUR);
  await deny(1);
  const row = await monitoring.watch(receipt(1));
  expect((row?.next_check_at.getTime() ?? 0) - monitoring.clock.nowMs()).toBe(MINUTE);
});

test('when the agency denies every case, the tries take a tenth of what is claimed, however small the claims are', async () => {
  await fill(400);
  const denied = new Set(await deny(200));
  await monitoring.clock.advance(HOUR);
  const shares: number[] = [];
  for (const limit of [100, ...Array(20).fill(5)]) {
    const { receiptNumbers } = await claim(limit);
    expect(receiptNumbers).toHaveLength(limit);
    shares.push(receiptNumbers.filter((one) => denied.has(one)).length);
  }
  expect(shares[0]).toBe(10);
  expect(shares.slice(1).reduce((sum, share) => sum + share, 0)).toBe(10);
});

test('a try of a denied case that was not made takes no turn of the others, and makes no check late', async () => {
  await fill(20);
  await deny(20);
  await monitoring.clock.advance(20 * HOUR);
  const held = await claim(10);
  expect(held.receiptNumbers).toHaveLength(1);
  await monitoring.checking.store.release(held, held.receiptNumbers, 'BUDGET_SPENT');
  const levels = createWatchLevels(monitoring.pool, monitoring.clock);
  expect(await levels()).toEqual({ watches: 20, due: 0, latenessSeconds: 0 });
  expect((await claim(5)).receiptNumbers).toEqual([]);
  expect((await claim(5)).receiptNumbers).toEqual(held.receiptNumbers);
});

test('a scheduler whose clock is 40 days ahead claims and postpones as the others do', async () => {
  await fill(2);
  const { nowMs } = monitoring.clock;
  const ahead = { ...monitoring.clock, nowMs: () => nowMs() + 40 * 24 * HOUR };
  await monitoring.database.query(
    `UPDATE monitoring.watches SET next_check_at = $2 WHERE receipt_number = $1`,
    [receipt(1), new Date(nowMs() + HOUR)],
  );
  const others = await startMonitoring({ database: monitoring.database, clock: ahead });
  try {
    const held = await others.checking.store.claim({ leaseMs: MINUTE, limit: 10 });
    expect(held.receiptNumbers).toEqual([receipt(2)]);
    await others.checking.store.finish(held, held.receiptNumbers);
    const row = await monitoring.watch(receipt(2));
    expect(row?.next_check_at.getTime()).toBeLessThanOrEqual(nowMs() + 24 * HOUR);
    await others.requestWatch(user(1), receipt(3), 'daily');
    expect((await monitoring.watch(receipt(3)))?.next_check_at).toEqual(new Date(nowMs()));
    await others.observe(receipt(3), 'Case Was Received');
    expect((await monitoring.watch(receipt(3)))?.next_check_at.getTime()).toBeLessThanOrEqual(
      nowMs() + 24 * HOUR,
    );
    const late = await others.call('GET', '/api/watches', { as: { userId: user(1), tier: 'pro' } });
    expect(await late.json()).toMatchObject([{ receiptNumber: receipt(3), late: null }]);
  } finally {
    await others.stop();
  }
});
