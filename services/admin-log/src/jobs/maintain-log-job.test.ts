import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createMaintainLogJob } from './maintain-log-job.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('the log is maintained at the start and every hour, and after a failure a minute later', async () => {
  const clock = createManualClock();
  const begunMs = clock.nowMs();
  const passes: number[] = [];
  const job = createMaintainLogJob({
    clock,
    retention: { payloadDays: 90, rowMonths: 13 },
    logger: pino({ level: 'silent' }),
    maintenance: {
      ensureMonth: async () => undefined,
      dropMonthsBefore: async () => undefined,
      removePayloadsBefore: async () => 0,
      removeAuditBefore: async () => 0,
      removeRecentCountsBefore: async () => {
        if (passes.push(clock.nowMs() - begunMs) === 2) throw new Error('out');
      },
    },
  });
  job.start();
  await clock.advance(0);
  await clock.advance(3 * HOUR);
  expect(passes).toEqual([0, HOUR, HOUR + MINUTE, 2 * HOUR + MINUTE]);
  await job.stop();
});
