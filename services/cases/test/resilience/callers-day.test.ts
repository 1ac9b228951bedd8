import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { KILLS, type ReplicaOptions, receipt, startReplicas } from './replicas.ts';

const DAY_MS = 86_400_000;
const CALLS_BETWEEN_KILLS = 150;
const CALLS_PER_DAY = (KILLS + 1) * CALLS_BETWEEN_KILLS + 50;
const TIMEOUT_MS = 60_000 * (KILLS + 3);

/** Six replicas check all the time, and their caller is killed again and again, until the day has no more calls. */
async function spendDay(options: ReplicaOptions = {}) {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  // The next day's calls are none of this one's.
  if (leftMs < 120_000) await sleep(leftMs + 1_000);
  const cases = await startReplicas({
    callsPerSecond: 100,
    callsPerDay: CALLS_PER_DAY,
    env: { AGENCY_MONITORING_SHARE: '1' },
    ...options,
  });
  let isOver = false;
  let asked = 0;
  const spent = new Set<string>();
  const checking = cases.replicas.map(async (replica) => {
    while (!isOver) {
      const numbers = Array.from({ length: 20 }, () => receipt(asked++));
      const results = await cases.check(replica, numbers).catch(() => []);
      if (results.length > 0 && results.every((result) => result.code === 'BUDGET_SPENT'))
        spent.add(replica.name);
      if (results.length === 0) await sleep(50);
    }
  });
  const total = async () => (await cases.calls()).total;
  for (let round = 1; round <= KILLS; round += 1) {
    await vi.waitFor(async () => expect(await total()).toBeGreaterThan(round * CALLS_BETWEEN_KILLS), {
      timeout: 60_000,
      interval: 20,
    });
    const victim = await cases.caller();
    await victim.kill('SIGKILL');
    await victim.restart();
  }
  await vi.waitFor(
    async () => expect(spent.size === cases.replicas.length || (await total()) > CALLS_PER_DAY).toBe(true),
    { timeout: 60_000, interval: 100 },
  );
  isOver = true;
  await Promise.all(checking);
  return await total();
}

test(
  'R9: the caller is killed again and again: the day’s calls are not passed, and 98 % of them are made',
  async () => {
    const calls = await spendDay();
    expect(calls).toBeLessThanOrEqual(CALLS_PER_DAY);
    expect(calls).toBeGreaterThanOrEqual(CALLS_PER_DAY * 0.98);
  },
  TIMEOUT_MS,
);

test(
  'R9, shown able to fail: calls that only the caller itself counts pass those of the day',
  async () => {
    const calls = await spendDay({
      mutations: [
        { file: 'cases/src/caller/day-quota.ts', find: 'await ledger.add(day, requester, 1);', replace: '' },
      ],
    });
    expect(calls).toBeGreaterThan(CALLS_PER_DAY);
  },
  TIMEOUT_MS,
);
