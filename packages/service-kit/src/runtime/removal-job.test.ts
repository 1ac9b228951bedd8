import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRemovalJob } from './removal-job.ts';

const HOUR_MS = 3_600_000;
const FULL = 1_000;
type Batch = () => number | Promise<number>;

/** The job over tables from which as many rows are removed at a time as the test says. */
function removing(tables: Batch[][]) {
  const clock = createManualClock();
  const startMs = clock.nowMs();
  const asked: [table: number, atMs: number, limit: number][] = [];
  const removals = tables.map((batches, table) => async (limit: number) => {
    asked.push([table, clock.nowMs() - startMs, limit]);
    return (await batches.shift()?.()) ?? 0;
  });
  const logger = pino({ level: 'silent' });
  return {
    clock,
    asked,
    job: createRemovalJob({ name: 'remove', everyMs: HOUR_MS, clock, logger, removals }),
  };
}

test('it continues until a batch is not full, with a pause for others, then every hour, and a minute after a failure', async () => {
  const noDatabase = () => Promise.reject(new Error('no database'));
  const { clock, asked, job } = removing([[() => FULL, () => FULL, () => FULL - 1, noDatabase]]);
  job.start();
  await clock.advance(0);
  await clock.advance(2 * HOUR_MS);
  expect(asked.map(([, atMs]) => atMs)).toEqual([0, 100, 200, HOUR_MS + 200, HOUR_MS + 60_200]);
  expect(new Set(asked.map(([, , limit]) => limit))).toEqual(new Set([FULL]));
  await job.stop();
});

test('every table has its turn, also while others have more, and one may remove more than a batch', async () => {
  const { clock, asked, job } = removing([[() => FULL + 1], [() => 0, () => FULL], []]);
  job.start();
  await clock.advance(0);
  await clock.advance(HOUR_MS - 1);
  expect(asked.map(([table]) => table)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  await job.stop();
});

test('a stop waits for no more than the pass in progress', async () => {
  let stopped: Promise<void> | undefined;
  const { clock, asked, job } = removing([
    [
      () => {
        stopped ??= job.stop();
        return FULL;
      },
      () => FULL,
    ],
  ]);
  job.start();
  await clock.advance(0);
  await stopped;
  expect(asked).toHaveLength(1);
});
