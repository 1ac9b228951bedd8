import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE, type Monitoring, receipt, startMonitoring, user } from './monitoring-fixture.ts';

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

const claim = (limit: number) =>
  monitoring.checking.store.claim({ nowMs: monitoring.clock.nowMs(), leaseMs: MINUTE, limit });

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

test('a claim says what its watches know, where that fits into a request', async () => {
  await fill(4);
  await monitoring.database.query(
    `UPDATE monitoring.watches SET last_status = CASE receipt_number WHEN $1 THEN 'Case Was Denied' ELSE repeat('x', 201) END,
       status_observed_at = now(), terminal = receipt_number = $1 WHERE receipt_number IN ($1, $2)`,
    [receipt(1), receipt(2)],
  );
  expect((await claim(4)).known).toEqual([
    { receiptNumber: receipt(1), status: 'Case Was Denied', terminal: true },
  ]);
});

test('what is not due is not claimed', async () => {
  await monitoring.wish(user(1), receipt(1), 'daily');
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
          nowMs: monitoring.clock.nowMs(),
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
    await monitoring.checking.store.postpone(held, held.receiptNumbers, now, 'AGENCY_UNAVAILABLE');
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
  await monitoring.checking.store.postpone(
    held,
    held.receiptNumbers,
    monitoring.clock.nowMs(),
    'AGENCY_UNAVAILABLE',
  );
  expect((await claim(1)).receiptNumbers).toEqual([receipt(5)]);
  await monitoring.clock.advance(MINUTE);
  expect((await claim(3)).receiptNumbers[0]).toBe(receipt(6));
});

test('a claim lists what is owed longest first, also among those that failed', async () => {
  await fill(6);
  const failing = await claim(2);
  const now = monitoring.clock.nowMs();
  await monitoring.checking.store.postpone(failing, failing.receiptNumbers, now, 'AGENCY_BUSY');
  await monitoring.clock.advance(MINUTE);
  expect((await claim(4)).receiptNumbers).toEqual([receipt(6), receipt(5), receipt(4), receipt(3)]);
});

test('watches that always fail leave half of every claim to the others', async () => {
  await fill(40);
  const failing = await claim(20);
  await monitoring.checking.store.postpone(
    failing,
    failing.receiptNumbers,
    monitoring.clock.nowMs(),
    'AGENCY_UNAVAILABLE',
  );
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
  await store.finish(lost, lost.receiptNumbers, monitoring.clock.nowMs(), null);
  await store.postpone(lost, lost.receiptNumbers, monitoring.clock.nowMs(), 'AGENCY_UNAVAILABLE');
  await store.release(lost, lost.receiptNumbers, null);
  expect(await monitoring.watches()).toEqual(before);
});

test('a watch that was observed while it was claimed keeps what the observation said', async () => {
  await monitoring.wish(user(1), receipt(1), 'daily');
  const held = await claim(1);
  await monitoring.observe(receipt(1), 'Case Was Received');
  const before = await monitoring.watches();
  await monitoring.checking.store.postpone(
    held,
    held.receiptNumbers,
    monitoring.clock.nowMs(),
    'AGENCY_UNAVAILABLE',
  );
  expect(await monitoring.watches()).toEqual(before);
});

test('watches that were checked at one moment spread over a part of their period', async () => {
  await fill(500);
  const held = await claim(500);
  const now = monitoring.clock.nowMs();
  await monitoring.checking.store.finish(held, held.receiptNumbers, now, null);
  const hours = (await monitoring.watches()).map((row) => (row.next_check_at.getTime() - now) / HOUR);
  expect(Math.max(...hours)).toBeLessThanOrEqual(24);
  expect(Math.min(...hours)).toBeGreaterThanOrEqual(22.8);
  const quarters = [0, 1, 2, 3].map(
    (n) => hours.filter((h) => Math.min(3, Math.floor((h - 22.8) / 0.3)) === n).length,
  );
  for (const size of quarters) expect(size).toBeGreaterThan(80);
});
