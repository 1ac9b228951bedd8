import type { CheckResult } from '@casewatch/contracts/check-cases';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { createCheckDueWatchesJob } from './check-due-watches-job.ts';

const BATCH = 10;

let clock: ReturnType<typeof createManualClock>;
let startMs: number;
/** How wrong the clock of the process is; it measures the right durations. */
let wrongByMs: number;
/** The claims: when, and for how many. */
let claims: [atMs: number, limit: number][];
/** What becomes of the nth claim. */
let answer: (nth: number) => Promise<CheckResult[]>;
let released: number;
let warnings: string[];
let job: ReturnType<typeof createCheckDueWatchesJob>;

beforeEach(() => {
  clock = createManualClock();
  startMs = clock.nowMs();
  wrongByMs = 0;
  claims = [];
  released = 0;
  warnings = [];
  let asked = 0;
  const services = { call: async () => ({ results: await answer(asked++) }) };
  job = createCheckDueWatchesJob({
    store: {
      claim: async ({ leaseMs, limit }) => {
        claims.push([clock.nowMs() - startMs, limit]);
        return { leaseUntilMs: clock.nowMs() + leaseMs, receiptNumbers: ['A'] };
      },
      finish: async () => undefined,
      deny: async () => undefined,
      postpone: async () => undefined,
      release: async () => {
        released += 1;
      },
    },
    services: services as unknown as ServiceClient,
    clock: { ...clock, nowMs: () => clock.nowMs() + wrongByMs },
    leaseMs: 60_000,
    tracing: noTracing,
    count: () => undefined,
    batch: BATCH,
    batchesAtOnce: 2,
    pollMs: 1_000,
    logger: pino({ base: null }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) }),
  });
});

const observed = async (): Promise<CheckResult[]> => [{ receiptNumber: 'A', outcome: 'observed' }];

test('while nothing gets through, no batch of the process claims', async () => {
  const held = Promise.withResolvers<CheckResult[]>();
  answer = (nth) => (nth === 0 ? held.promise : observed());
  job.start();
  await clock.advance(0);
  held.resolve([{ receiptNumber: 'A', outcome: 'no-budget', retryAfterSeconds: 20 }]);
  await clock.advance(0);
  expect(claims).toEqual([
    [0, BATCH],
    [0, BATCH],
  ]);
  await clock.advance(19_999);
  expect(claims).toHaveLength(2);
  await clock.advance(1);
  expect(claims[2]).toEqual([20_000, 1]);
  expect(warnings).toEqual([]);
  await job.stop();
});

test('a process whose clock is set back does not wait for the time before to come again', async () => {
  answer = async (nth) =>
    nth < 2 ? [{ receiptNumber: 'A', outcome: 'no-budget', retryAfterSeconds: 20 }] : observed();
  job.start();
  await clock.advance(0);
  wrongByMs = -3_600_000;
  await clock.advance(20_000);
  expect(claims.length).toBeGreaterThan(2);
  await job.stop();
});

test('checks that cases did not answer are tried again later and later, with a warning each time', async () => {
  const error = new Error('unavailable');
  answer = (nth) => (nth < 2 ? Promise.reject(error) : observed());
  job.start();
  await clock.advance(0);
  await clock.advance(3_000);
  expect(claims.length).toBeGreaterThan(2);
  expect(warnings).toEqual(Array(2).fill('check due watches: cases unavailable, will retry'));
  await job.stop();
});

test('a stop leaves checks in flight four seconds, then releases them without a warning', async () => {
  answer = () => new Promise(() => undefined);
  job.start();
  await clock.advance(0);
  const stopped = job.stop();
  await clock.advance(3_999);
  expect(released).toBe(0);
  await clock.advance(1);
  await stopped;
  expect(released).toBe(2);
  expect(warnings).toEqual([]);
});
