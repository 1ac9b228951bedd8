import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { CALLS_PER_SECOND, type ReplicaOptions, startLoad, startReplicas } from '../replicas.ts';

/** A rate that is kept is measured for this time; one that is not shows at once. */
const SECONDS = 8;
const MUTATED_SECONDS = 3;

/** How many calls six replicas make, of those that are allowed while all the time more is wanted; 1 is all. */
async function shareUsed(seconds: number, options: ReplicaOptions = {}) {
  const cases = await startReplicas(options);
  const load = startLoad(cases);
  await vi.waitFor(async () => expect((await cases.calls()).total).toBeGreaterThan(20), 30_000);
  await cases.msToNextCall(5_000);
  const { total } = await cases.calls();
  const fromMs = performance.now();
  await sleep(seconds * 1_000);
  const after = (await cases.calls()).total;
  const allowed = ((performance.now() - fromMs) / 1_000) * CALLS_PER_SECOND;
  await load.end();
  const { maxInAnySecond } = await cases.calls();
  // Of calls that come in bursts, a burst may be due a moment after the end.
  return { share: (after - total + 1) / allowed, maxInAnySecond };
}

test('R9: six replicas never pass N in a second, and use 98 % of it while work is due', async () => {
  const { share, maxInAnySecond } = await shareUsed(SECONDS);
  expect(maxInAnySecond).toBeLessThanOrEqual(CALLS_PER_SECOND);
  expect(share).toBeGreaterThanOrEqual(0.98);
}, 90_000);

test('R9, shown able to fail: with permits that are free when their calls end, N in a second are passed', async () => {
  const { maxInAnySecond } = await shareUsed(MUTATED_SECONDS, {
    mutations: [
      {
        file: 'cases/src/caller/call-slots.ts',
        find: 'if (isNew) answered.push(now);',
        replace: 'if (isNew) answered.push(now - 1000);',
      },
    ],
  });
  expect(maxInAnySecond).toBeGreaterThan(CALLS_PER_SECOND);
}, 90_000);

test('R9, shown able to fail: with permits that are free too late, 98 % are not used', async () => {
  const { share } = await shareUsed(MUTATED_SECONDS, {
    mutations: [
      { file: 'cases/src/service.ts', find: 'const WINDOW_MS = 1_001;', replace: 'const WINDOW_MS = 2_000;' },
    ],
  });
  expect(share).toBeLessThan(0.98);
}, 90_000);
