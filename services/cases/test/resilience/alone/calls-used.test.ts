import { expect, test, vi } from 'vitest';
import { CALLS_PER_SECOND, type ReplicaOptions, startLoad, startReplicas } from '../replicas.ts';

/** A rate that is kept is measured for this time; one that is not shows at once. */
const SECONDS = 8;
const MUTATED_SECONDS = 3;

/**
 * How many calls six replicas make, of those that are allowed while all the time more is wanted; 1 is all. Measured by how long the
 * calls of so many seconds take: they come unevenly within each second, so that how many come in a time depends on where it begins.
 */
async function shareUsed(seconds: number, options: ReplicaOptions = {}) {
  const cases = await startReplicas(options);
  const load = startLoad(cases);
  const whenCalled = async (total: number) => {
    await vi.waitFor(async () => expect((await cases.calls()).total).toBeGreaterThanOrEqual(total), {
      timeout: 30_000,
      interval: 5,
    });
    return performance.now();
  };
  await whenCalled(20);
  await cases.msToNextCall(5_000);
  const { total } = await cases.calls();
  const fromMs = performance.now();
  const tookMs = (await whenCalled(total + seconds * CALLS_PER_SECOND)) - fromMs;
  await load.end();
  const { maxInAnySecond } = await cases.calls();
  return { share: (seconds * 1_000) / tookMs, maxInAnySecond };
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
