import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { DueDelivery } from '../domain/delivery-log.ts';
import type { Outcome } from '../domain/send-due-deliveries.ts';
import { createSendDeliveriesJob } from './send-deliveries-job.ts';

const POLL_MS = 5_000;
const notNeeded = async () => undefined;

/** `claim` says how many messages each claim finds; `send` what becomes of each. */
function createJob({
  claim,
  send,
  random = 0.5,
}: {
  claim: () => number;
  send?: (signal: AbortSignal) => Promise<Outcome>;
  random?: number;
}) {
  const clock = createManualClock();
  const begunMs = clock.nowMs();
  /** When each pass began, in seconds since the start. */
  const passes: number[] = [];
  const logged: { msg: string }[] = [];
  let closed = 0;
  const job = createSendDeliveriesJob<DueDelivery, string>(
    'send-tests',
    {
      name: 'send tests',
      kind: {
        log: {
          claim: async ({ nowMs, leaseMs, limit }) => {
            passes.push((nowMs - begunMs) / 1_000);
            const due = Array.from({ length: Math.min(claim(), limit) }, (_, nth) => ({
              id: String(nth),
              queuedAtMs: nowMs,
              attempts: 1,
            }));
            return { leaseUntilMs: nowMs + leaseMs, due };
          },
          markSent: notNeeded,
          giveUp: notNeeded,
          skip: notNeeded,
          defer: notNeeded,
          postpone: notNeeded,
          release: notNeeded,
        },
        prepare: async (due) => ({ ready: due.map((one) => ({ due: one, message: one.id })), dropped: [] }),
      },
      sender: {
        send: async (_message, signal) => send?.(signal) ?? { kind: 'sent' },
        close: async () => {
          closed++;
        },
      },
      clock: { ...clock, read: async () => clock.nowMs() },
      logger: pino({}, { write: (line) => logged.push(JSON.parse(line)) }),
      count: () => undefined,
      leaseMs: 600_000,
      sendMaxMs: 1_000,
      giveUpMs: 3_600_000,
      atOnce: 2,
      random: () => random,
    },
    POLL_MS,
  );
  const settle = () => clock.advance(0);
  return { job, clock, passes, logged, settle, closed: () => closed };
}

test('it looks for messages at every poll, and at once while there are more than one pass takes', async () => {
  const waiting = [50, 50, 49];
  const { job, clock, passes, settle } = createJob({ claim: () => waiting.shift() ?? 0 });
  job.start();
  await settle();
  await clock.advance(POLL_MS - 1);
  expect(passes).toEqual([0, 0, 0]);
  await clock.advance(1);
  expect(passes).toEqual([0, 0, 0, 5]);
  await job.stop();
});

test('while the server is unavailable it waits twice as long each time, at most a minute, whatever is new', async () => {
  let works = false;
  const { job, clock, passes, logged, settle } = createJob({
    claim: () => 1,
    send: async () => (works ? { kind: 'sent' } : { kind: 'unavailable', reason: 'esocket' }),
  });
  job.start();
  await settle();
  for (let second = 0; second < 200; second++) {
    await clock.advance(1_000);
    job.notify();
  }
  expect(passes).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  expect(logged).toContainEqual(
    expect.objectContaining({
      level: 40,
      unavailable: 'esocket',
      msg: 'send tests: server unavailable, will retry',
    }),
  );
  works = true;
  await clock.advance(43_000);
  expect(passes.at(-1)).toBe(243);
  works = false;
  await clock.advance(5_000);
  await clock.advance(1_000);
  expect(passes.slice(-3)).toEqual([243, 248, 249]);
  await job.stop();
});

test('while the database is unavailable it waits in the same way; a pass that finds nothing proves nothing of the server', async () => {
  let claims = 0;
  const { job, clock, passes, logged, settle } = createJob({
    claim: () => {
      if (++claims === 3) return 0;
      throw new Error('no database');
    },
  });
  job.start();
  await settle();
  for (let second = 0; second < 20; second++) await clock.advance(1_000);
  expect(passes).toEqual([0, 1, 3, 8, 12, 20]);
  expect(logged[0]).toMatchObject({ level: 40, msg: 'send tests: database failed, will retry' });
  await job.stop();
});

test.each([
  [0, 750],
  [1, 1_250],
])('waits spread by a quarter, so that not all processes try at once: %i', async (random, waitMs) => {
  const { job, clock, passes, settle } = createJob({
    claim: () => {
      throw new Error('no database');
    },
    random,
  });
  job.start();
  await settle();
  await clock.advance(waitMs - 1);
  expect(passes).toHaveLength(1);
  await clock.advance(1);
  expect(passes).toHaveLength(2);
  await job.stop();
});

test('a stop closes the sender when the last pass has ended', async () => {
  const sent = Promise.withResolvers<Outcome>();
  const { job, settle, closed } = createJob({ claim: () => 1, send: () => sent.promise });
  job.start();
  await settle();
  const stopped = job.stop();
  await settle();
  expect(closed()).toBe(0);
  sent.resolve({ kind: 'sent' });
  await stopped;
  expect(closed()).toBe(1);
});

test('a stop waits four seconds for a message that is being sent, and then abandons it', async () => {
  const { job, clock, settle } = createJob({
    claim: () => 1,
    send: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ kind: 'unavailable', reason: 'stopping' }));
      }),
  });
  job.start();
  await settle();
  let hasStopped = false;
  const stopped = job.stop().then(() => {
    hasStopped = true;
  });
  await clock.advance(3_999);
  expect(hasStopped).toBe(false);
  await clock.advance(1);
  await stopped;
});
