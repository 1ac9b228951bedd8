import { setImmediate } from 'node:timers/promises';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Clock } from './clock.ts';
import { createPollingJob, type NextPass, type PollingJobOptions, type Stop } from './polling-job.ts';

const logger = pino({ level: 'silent' });

function startJob(results: readonly (NextPass | Error)[], options: Partial<PollingJobOptions> = {}) {
  const clock = createManualClock();
  let passes = 0;
  const job = createPollingJob({
    name: 'test-job',
    clock,
    logger,
    retryMs: 1_000,
    pass: () => {
      const result = results[Math.min(passes, results.length - 1)] ?? 0;
      passes += 1;
      if (result instanceof Error) throw result;
      return result;
    },
    ...options,
  });
  job.start();
  return { clock, job, passes: () => passes };
}

test('the first pass begins at the start, and every other when the wait of the one before is over', async () => {
  const { clock, job, passes } = startJob([0, 500, 500]);
  await setImmediate();
  expect(passes()).toBe(2);
  await clock.advance(499);
  expect(passes()).toBe(2);
  await clock.advance(1);
  expect(passes()).toBe(3);
  await job.stop();
});

test('a notification starts the next pass at once, also one that arrives during a pass', async () => {
  const gate = Promise.withResolvers<NextPass>();
  let passes = 0;
  const { job } = startJob([], { pass: () => (passes++ === 0 ? gate.promise : 500) });
  await setImmediate();
  job.notify();
  gate.resolve(500);
  await setImmediate();
  expect(passes).toBe(2);
  job.notify();
  await setImmediate();
  expect(passes).toBe(3);
  await job.stop();
});

test('a hold is not shortened by notifications; a pass that throws is retried after a hold', async () => {
  const { clock, job, passes } = startJob([{ holdMs: 300 }, new Error('failed'), 500]);
  await setImmediate();
  job.notify();
  await setImmediate();
  expect(passes()).toBe(1);
  await clock.advance(300);
  expect(passes()).toBe(2);
  job.notify();
  await clock.advance(999);
  expect(passes()).toBe(2);
  await clock.advance(1);
  // The notification of the hold still stands: the wait after it is over at once.
  expect(passes()).toBe(4);
  await job.stop();
});

test('a stop waits for the pass in progress, abandons it after the grace, and starts no other', async () => {
  let passes = 0;
  const { clock, job } = startJob([], {
    graceMs: 4_000,
    pass: ({ stopping, abandon }) => {
      passes++;
      return new Promise<NextPass>((resolve) => {
        abandon.addEventListener('abort', () => resolve(stopping.aborted ? 0 : 500));
      });
    },
  });
  await setImmediate();
  let stopped = false;
  const stop = job.stop().then(() => {
    stopped = true;
  });
  await clock.advance(3_999);
  expect(stopped).toBe(false);
  await clock.advance(1);
  await stop;
  expect(passes).toBe(1);
});

test('a stop does not wait for the end of a hold, nor for that of the grace', async () => {
  let stop: Stop | undefined;
  const { clock, job, passes } = startJob([{ holdMs: 60_000 }], { graceMs: 4_000 });
  await setImmediate();
  await job.stop();
  expect(passes()).toBe(1);
  const other = startJob([], {
    graceMs: 4_000,
    pass: (given) => {
      stop = given;
      return 500;
    },
  });
  await setImmediate();
  await other.job.stop();
  await Promise.all([clock.advance(60_000), other.clock.advance(60_000)]);
  expect([stop?.stopping.aborted, stop?.abandon.aborted]).toEqual([true, false]);
});

test('a notification ends the wait that it shortens: nothing sleeps on', async () => {
  const clock = createManualClock();
  let sleeping = 0;
  const sleep: Clock['sleep'] = (ms, signal) => {
    sleeping += 1;
    return clock.sleep(ms, signal).finally(() => {
      sleeping -= 1;
    });
  };
  const { job } = startJob([500], { clock: { ...clock, sleep } });
  for (let notified = 0; notified < 5; notified++) {
    await setImmediate();
    expect(sleeping).toBe(1);
    job.notify();
  }
  await job.stop();
  expect(sleeping).toBe(0);
});

test('a job runs as many passes side by side as it may, each with a wait of its own', async () => {
  const gates = [Promise.withResolvers<NextPass>(), Promise.withResolvers<NextPass>()];
  let passes = 0;
  const { job } = startJob([], { concurrency: 2, pass: () => gates[passes++]?.promise ?? 500 });
  await setImmediate();
  expect(passes).toBe(2);
  gates[1]?.resolve(500);
  await setImmediate();
  job.notify();
  await setImmediate();
  expect(passes).toBe(3);
  gates[0]?.resolve(500);
  await job.stop();
});
