import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@casewatch/contracts/notification-choices';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createMakeDigestsJob } from './make-digests-job.ts';

/** `pages` says how many schedules each pass finds, and how many digests it makes of them. */
function createJob(pages: (readonly [found: number, made: number])[]) {
  const clock = createManualClock();
  const begunMs = clock.nowMs();
  /** When each pass began, in seconds since the start. */
  const passes: number[] = [];
  let notified = 0;
  let made = 0;
  const job = createMakeDigestsJob({
    name: 'make-tests',
    schedules: {
      channel: 'email',
      async listDue(nowMs, _latestMs, limit) {
        passes.push((nowMs - begunMs) / 1_000);
        const page = pages.shift() ?? [0, 0];
        if (Number.isNaN(page[0])) throw new Error('no database');
        made = page[1];
        return Array.from({ length: Math.min(page[0], limit) }, (_, nth) => ({
          userId: String(nth),
          kind: 'daily' as const,
          nextAtMs: nowMs,
          settings: DEFAULTS,
        }));
      },
      advance: async () => made,
    },
    clock: { ...clock, read: async () => clock.nowMs() },
    logger: pino({ level: 'silent' }),
    onMade: () => {
      notified++;
    },
  });
  return { job, clock, passes, notified: () => notified };
}

test('a full page is followed by the next one at once, and then it looks every half a minute', async () => {
  const { job, clock, passes } = createJob([
    [300, 200],
    [200, 200],
    [199, 199],
  ]);
  job.start();
  await clock.advance(0);
  await clock.advance(29_999);
  expect(passes).toEqual([0, 0, 0]);
  await clock.advance(30_001);
  expect(passes).toEqual([0, 0, 0, 30, 60]);
  await job.stop();
});

test('the sending of digests is notified when some were made, not when schedules were only moved', async () => {
  const { job, clock, notified } = createJob([
    [3, 0],
    [3, 1],
    [0, 0],
  ]);
  job.start();
  await clock.advance(0);
  expect(notified()).toBe(0);
  await clock.advance(30_000);
  expect(notified()).toBe(1);
  await clock.advance(30_000);
  expect(notified()).toBe(1);
  await job.stop();
});

test('after a failure it tries again in five seconds', async () => {
  const { job, clock, passes } = createJob([[Number.NaN, 0]]);
  job.start();
  await clock.advance(0);
  await clock.advance(35_000);
  expect(passes).toEqual([0, 5, 35]);
  await job.stop();
});
