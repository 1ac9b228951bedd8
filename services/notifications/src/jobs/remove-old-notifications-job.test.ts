import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRemoveOldNotificationsJob } from './remove-old-notifications-job.ts';

test('it continues until a batch is not full, with a pause for others, then every hour, and a minute after a failure', async () => {
  const clock = createManualClock(Date.UTC(2026, 0, 5));
  const begunMs = clock.nowMs();
  const batches = [() => 1_000, () => 1_000, () => 999, () => Promise.reject(new Error('no database'))];
  const passes: number[] = [];
  const asked = new Set<string>();
  const job = createRemoveOldNotificationsJob({
    store: {
      removeBefore: async (beforeMs, limit) => {
        passes.push(clock.nowMs() - begunMs);
        asked.add(`${new Date(beforeMs).toISOString()} ${limit}`);
        return batches.shift()?.() ?? 0;
      },
    },
    months: 14,
    clock: { ...clock, read: async () => clock.nowMs() },
    logger: pino({ level: 'silent' }),
  });
  job.start();
  await clock.advance(0);
  await clock.advance(2 * 3_600_000);
  expect(passes).toEqual([0, 100, 200, 3_600_200, 3_660_200]);
  expect([...asked]).toEqual(['2024-11-01T00:00:00.000Z 1000']);
  await job.stop();
});
