import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { CALLS_PER_SECOND, type ReplicaOptions, startLoad, startReplicas } from '../replicas.ts';

/** A window, the quarter of a second at which others try, and what a call takes; the simulator answers at once. */
const HANDOVER_MS = 1_001 + 250 + 150;

/** Every replica is replaced by a new one under load. Resolves to the longest time without a call at a handover. */
async function roll(options: ReplicaOptions = {}) {
  const cases = await startReplicas({ count: 3, ...options });
  const load = startLoad(cases);
  await vi.waitFor(async () => expect((await cases.calls()).total).toBeGreaterThan(20), 30_000);
  let longestMs = 0;
  let isOver = false;
  const watching = (async () => {
    let { total } = await cases.calls();
    let atMs = performance.now();
    while (!isOver) {
      const now = (await cases.calls()).total;
      if (now > total) {
        longestMs = Math.max(longestMs, performance.now() - atMs);
        [total, atMs] = [now, performance.now()];
      }
      await sleep(10);
    }
  })();
  for (const old of cases.replicas.slice()) {
    await cases.add();
    load.leaveOut(old);
    expect(await old.stop(), old.logs()).toBe(0);
  }
  await sleep(1_500);
  isOver = true;
  await watching;
  return { cases, longestMs, answers: await load.end() };
}

test('R8, R9: every replica is replaced under load: no lookup fails, N in no second are passed, and who calls hands over in a moment', async () => {
  const { cases, longestMs, answers } = await roll();
  expect(answers.flatMap(({ failure }) => failure ?? [])).toEqual([]);
  expect((await cases.calls()).maxInAnySecond).toBeLessThanOrEqual(CALLS_PER_SECOND);
  expect(longestMs).toBeLessThanOrEqual(HANDOVER_MS);
}, 120_000);

test('R9, shown able to fail: a caller that hands over before its last second is over passes N in a second', async () => {
  const { cases } = await roll({
    mutations: [
      { file: 'cases/src/caller/start-caller.ts', find: 'await caller.allArrived();', replace: '' },
    ],
  });
  expect((await cases.calls()).maxInAnySecond).toBeGreaterThan(CALLS_PER_SECOND);
}, 120_000);

test('R8, shown able to fail: without a word from the one that left the next one waits', async () => {
  const { longestMs } = await roll({
    mutations: [{ file: 'cases/src/caller/start-caller.ts', find: 'await session.leave();', replace: '' }],
  });
  expect(longestMs).toBeGreaterThan(HANDOVER_MS);
}, 120_000);
