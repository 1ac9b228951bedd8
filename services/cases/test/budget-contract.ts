import { afterEach, expect, test } from 'vitest';
import type { Budget, CallSource } from '../src/agency/budget.ts';
import type { ledgerInMemory } from './ledger-in-memory.ts';

export const LATE_EVENING = Date.parse('2026-01-05T23:59:00Z');

interface Limits {
  callsPerSecond?: number;
  callsPerDay?: number;
}

interface Bench {
  budget: Budget;
  ledger: ReturnType<typeof ledgerInMemory>;
  /** Moves the time of the budget, in which every answer is waited for. */
  pass(ms: number): Promise<void>;
}

/** What every budget promises to whoever calls. */
export function describeBudget(open: (limits: Limits) => Promise<Bench>): void {
  let bench: Bench;
  afterEach(() => bench.budget.stop());

  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => 'granted',
      (refusal) => refusal.reason,
    );

  test('there are no more calls at once than allowed, and the next one is a second after an answer', async () => {
    bench = await open({ callsPerSecond: 3 });
    const { budget, pass } = bench;
    const leases = [await budget.take('user', 0), await budget.take('user', 0), await budget.take('user', 0)];
    let granted = 0;
    const late = budget.take('user', 60_000).then(() => {
      granted += 1;
    });
    await pass(1_100);
    expect(granted).toBe(0);
    leases[1]?.done();
    leases[1]?.done();
    await pass(900);
    expect(granted).toBe(0);
    await pass(200);
    await late;
    expect(await outcome(budget.take('monitor', 0))).toBe('busy');
  });

  test('a call that never ends counts as ended after two seconds', async () => {
    bench = await open({ callsPerSecond: 1 });
    await bench.budget.take('user', 0);
    const late = outcome(bench.budget.take('user', 4_000));
    await bench.pass(1_900);
    await bench.pass(2_000);
    expect(await late).toBe('granted');
  });

  test('who would wait too long is refused, with a time to come back that is not too late', async () => {
    bench = await open({ callsPerSecond: 1 });
    (await bench.budget.take('user', 0)).done();
    const refusal = await bench.budget.take('user', 900).catch((reason: unknown) => reason);
    expect(refusal).toMatchObject({ reason: 'busy' });
    const { retryAfterMs } = refusal as { retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThan(900);
    expect(retryAfterMs).toBeLessThan(1_100);
  });

  test('people go before scheduled checks, otherwise first come, first served', async () => {
    bench = await open({ callsPerSecond: 1 });
    (await bench.budget.take('user', 0)).done();
    const order: string[] = [];
    const wish = (source: CallSource, name: string) =>
      void bench.budget.take(source, 60_000).then((lease) => {
        order.push(name);
        lease.done();
      });
    wish('monitor', 'first check');
    wish('monitor', 'second check');
    wish('user', 'first person');
    wish('user', 'second person');
    for (let seconds = 0; seconds < 5; seconds += 1) await bench.pass(1_050);
    expect(order).toEqual(['first person', 'second person', 'first check', 'second check']);
  });

  test('a pause holds everybody back; a shorter one does not shorten it', async () => {
    bench = await open({});
    bench.budget.pause(5_000);
    bench.budget.pause(1_000);
    await bench.pass(0);
    expect(await outcome(bench.budget.take('user', 2_000))).toBe('busy');
    const patient = outcome(bench.budget.take('user', 6_000));
    await bench.pass(5_100);
    expect(await patient).toBe('granted');
  });

  test('the day’s calls are never passed, and start anew at midnight GMT', async () => {
    bench = await open({ callsPerSecond: 100, callsPerDay: 3 });
    for (let call = 0; call < 3; call += 1) (await bench.budget.take('user', 0)).done();
    expect(await outcome(bench.budget.take('user', 0))).toBe('spent');
    await bench.pass(60_000);
    expect(await outcome(bench.budget.take('user', 0))).toBe('granted');
  });

  test('a tenth of the day is kept for people', async () => {
    bench = await open({ callsPerSecond: 100, callsPerDay: 50 });
    for (let call = 0; call < 45; call += 1) (await bench.budget.take('monitor', 0)).done();
    expect(await outcome(bench.budget.take('monitor', 0))).toBe('spent');
    for (let call = 0; call < 5; call += 1) (await bench.budget.take('user', 0)).done();
    expect(await outcome(bench.budget.take('user', 0))).toBe('spent');
  });

  test('a call that the day refuses takes nobody’s place in the second', async () => {
    bench = await open({ callsPerSecond: 1, callsPerDay: 10 });
    for (let call = 0; call < 9; call += 1) {
      (await bench.budget.take('monitor', 0)).done();
      await bench.pass(1_050);
    }
    expect(await outcome(bench.budget.take('monitor', 0))).toBe('spent');
    expect(await outcome(bench.budget.take('user', 0))).toBe('granted');
  });

  test('a stop refuses who waits, gives back what was reserved and not used, and nothing comes after it', async () => {
    bench = await open({ callsPerSecond: 1, callsPerDay: 10_000 });
    await bench.budget.take('user', 0);
    const waiting = outcome(bench.budget.take('user', 60_000));
    await bench.pass(0);
    await bench.budget.stop();
    expect(await waiting).toBe('busy');
    expect(bench.ledger.reserved.get('2026-01-05')).toBe(1);
    expect(await outcome(bench.budget.take('user', 60_000))).toBe('busy');
  });
}
