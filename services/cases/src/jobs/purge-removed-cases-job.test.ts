import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createPurgeRemovedCasesJob } from './purge-removed-cases-job.ts';

const HOUR_MS = 3_600_000;

/** The job with a store that has the given number to purge, a thousand at a time. */
function purging(counts: number[]) {
  const clock = createManualClock();
  const asked: { atMs: number; limit: number }[] = [];
  let onPurge = () => {};
  const savedCases = {
    purgeRemoved: async (limit: number) => {
      asked.push({ atMs: clock.nowMs(), limit });
      onPurge();
      return counts.shift() ?? 0;
    },
  };
  const job = createPurgeRemovedCasesJob({ savedCases, clock, logger: pino({ level: 'silent' }) });
  return { clock, asked, job, whilePurging: (work: () => void) => (onPurge = work) };
}

test('all that is too old is purged in batches at the start, and again every hour', async () => {
  const { clock, asked, job } = purging([1_000, 1_000, 999]);
  const startMs = clock.nowMs();
  job.start();
  await clock.advance(0);
  await clock.advance(HOUR_MS - 1);
  expect(asked).toEqual(Array.from({ length: 3 }, () => ({ atMs: startMs, limit: 1_000 })));
  await clock.advance(1);
  expect(asked.slice(3)).toEqual([{ atMs: startMs + HOUR_MS, limit: 1_000 }]);
  await job.stop();
});

test('a stop waits for no more than the batch that is being purged', async () => {
  const { clock, asked, job, whilePurging } = purging([1_000, 1_000, 1_000]);
  let stopped: Promise<void> | undefined;
  whilePurging(() => {
    stopped ??= job.stop();
  });
  job.start();
  await clock.advance(0);
  await stopped;
  expect(asked).toHaveLength(1);
});
