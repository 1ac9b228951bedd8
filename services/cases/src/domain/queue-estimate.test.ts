import { expect, test } from 'vitest';
import type { QueueState, Waiting } from './agency-queue.ts';
import type { Requester } from './lookup.ts';
import { createQueueEstimate, type QueueEstimate } from './queue-estimate.ts';

const lookup = {
  id: 'l',
  origin: 'single',
  requestId: undefined,
  traceId: undefined,
  startedAtMs: 0,
} as const;
const user = (userId: string, tier: 'free' | 'pro' = 'free'): Requester => ({
  source: 'user',
  userId,
  name: userId,
  tier,
  lookup,
});
const ADA = user('ada');
const CHECK: Requester = { source: 'monitor', lookup };
/** Long enough for whatever may wait. */
const LONG_MS = 3_600_000;

/** An estimate of ten calls a second, and what other processes have waiting. */
function start({
  waiting = [],
  pausedMs = 0,
  quotaSpentMs = 0,
  isCalled = true,
  monitoringShare = 0.5,
}: Partial<QueueState> & { monitoringShare?: number } = {}) {
  const state: { now: QueueState | Error; reads: number; nowMs: number } = {
    now: { waiting, pausedMs, quotaSpentMs, isCalled },
    reads: 0,
    nowMs: 5_000,
  };
  const estimate = createQueueEstimate(
    {
      state: async () => {
        state.reads += 1;
        if (state.now instanceof Error) throw state.now;
        return state.now;
      },
    },
    { databaseNowMs: () => state.nowMs },
    { callsPerSecond: 10, monitoringShare, weights: { free: 1, pro: 4 } },
  );
  return { estimate, state };
}

const of = (
  userId: string | null,
  waiting: number,
  tier: Waiting['tier'] = userId === null ? null : 'free',
): Waiting => ({
  userId,
  tier,
  waiting,
});

/** Admits as many as come at once, and returns how many, and the last refusal. */
async function crowd(estimate: QueueEstimate, requesters: readonly Requester[], waitMs: number) {
  const admissions = await Promise.all(requesters.map((requester) => estimate.enter(requester, waitMs)));
  const refusals = admissions.flatMap((one) => ('refusal' in one ? [one.refusal] : []));
  return { entered: admissions.length - refusals.length, reported: refusals.at(-1), admissions };
}
const times = (count: number, requester: Requester) => Array<Requester>(count).fill(requester);

test('a user with more waiting than can be called in time is refused at once, with the time to retry', async () => {
  const { estimate } = start();
  // 4 s at ten calls a second: 50 calls come before, counted by windows of 1,001 ms.
  expect(await crowd(estimate, times(200, ADA), 4_004)).toMatchObject({
    entered: 50,
    reported: { kind: 'budget-busy', retryAfterMs: 5 * 1_001 },
  });
  expect(await crowd(estimate, [user('bob')], 4_004)).toMatchObject({ entered: 1 });
});

test('who leaves makes room for another', async () => {
  const { estimate } = start();
  const { admissions } = await crowd(estimate, times(50, ADA), 4_004);
  expect(await crowd(estimate, [ADA], 4_004)).toMatchObject({ entered: 0 });
  for (const one of admissions) if ('leave' in one) one.leave();
  expect(await crowd(estimate, times(60, ADA), 4_004)).toMatchObject({ entered: 50 });
});

test('no more than 1,000 of one user wait, those of other processes among them, and as many checks', async () => {
  const { estimate } = start({ waiting: [of('ada', 400), of(null, 990)] });
  expect(await crowd(estimate, times(700, ADA), LONG_MS)).toMatchObject({ entered: 600 });
  expect(await crowd(estimate, times(20, CHECK), LONG_MS)).toMatchObject({
    entered: 10,
    reported: { kind: 'budget-busy' },
  });
});

test('no more than 10,000 wait in all', async () => {
  const others = Array.from({ length: 9 }, (_, nth) => of(`user-${nth}`, 1_000));
  const { estimate } = start({ waiting: [...others, of(null, 990)] });
  const requesters = Array.from({ length: 20 }, (_, nth) => user(`newcomer-${nth}`));
  expect(await crowd(estimate, requesters, LONG_MS)).toMatchObject({ entered: 10 });
});

test('100,000 lookups read the queue once a second, and all but 1,000 are refused without a write', async () => {
  const { estimate, state } = start();
  let entered = 0;
  for (let burst = 0; burst < 100; burst += 1) {
    entered += (await crowd(estimate, times(1_000, ADA), LONG_MS)).entered;
  }
  expect([entered, state.reads]).toEqual([1_000, 1]);
  state.nowMs = 5_999;
  await estimate.enter(ADA, LONG_MS);
  expect(state.reads).toBe(1);
  state.nowMs = 6_000;
  await crowd(estimate, times(100, ADA), LONG_MS);
  expect(state.reads).toBe(2);
});

test('a queue that cannot be read refuses no lookup: it fails, and is read again by the next', async () => {
  const { estimate, state } = start();
  state.now = new Error('unavailable');
  await expect(estimate.enter(ADA, LONG_MS)).rejects.toThrow('unavailable');
  state.now = { waiting: [], pausedMs: 0, quotaSpentMs: 0, isCalled: true };
  expect(await estimate.enter(ADA, LONG_MS)).not.toHaveProperty('refusal');
});

test('a pause that lasts longer than a lookup waits refuses it, with the time until its turn after that', async () => {
  const { estimate } = start({ pausedMs: 8_000, waiting: [of('ada', 20)] });
  expect(await estimate.enter(ADA, 10_001)).toEqual({
    refusal: { kind: 'rate-limited', retryAfterMs: 8_000 + 2 * 1_001 },
  });
  expect(await estimate.enter(ADA, 10_002)).not.toHaveProperty('refusal');
  // The user's calls come after the first of checks.
  expect(await estimate.enter(CHECK, 4_000)).toEqual({
    refusal: { kind: 'rate-limited', retryAfterMs: 8_000 },
  });
});

test('where no process calls, who is refused learns that, and who may wait does: one may begin to', async () => {
  const { estimate } = start({ isCalled: false, waiting: [of('ada', 20)] });
  expect(await estimate.enter(ADA, 2_001)).toEqual({
    refusal: { kind: 'no-caller', retryAfterMs: 5_000 },
  });
  expect(await estimate.enter(CHECK, 2_001)).not.toHaveProperty('refusal');
});

test('as soon as a process calls nobody learns otherwise, and those who ask at once share a read', async () => {
  const { estimate, state } = start({ isCalled: false, waiting: [of('ada', 20)] });
  expect(await crowd(estimate, times(100, ADA), 2_001)).toMatchObject({ reported: { kind: 'no-caller' } });
  // For the queue, and for its refusals.
  expect(state.reads).toBe(2);
  state.now = { waiting: [of('ada', 20)], pausedMs: 0, quotaSpentMs: 0, isCalled: true };
  expect(await estimate.enter(ADA, 2_001)).toMatchObject({ refusal: { kind: 'budget-busy' } });
});

test('people learn that the day’s quota is spent; checks, when to retry', async () => {
  const { estimate } = start({ pausedMs: 300_000, quotaSpentMs: 7_200_000 });
  expect(await estimate.enter(ADA, 4_000)).toEqual({
    refusal: { kind: 'quota-spent', retryAfterMs: 7_200_000 },
  });
  expect(await estimate.enter(CHECK, 4_000)).toEqual({
    refusal: { kind: 'quota-spent', retryAfterMs: 300_000 },
  });
});

test.each<[string, Waiting[], Requester, number, number]>([
  ['none waits', [], ADA, 0.5, 0],
  ['only the user itself', [of('ada', 30)], ADA, 0.5, 30],
  ['others have one call each in a round', [of('ada', 20), of('bob', 100)], ADA, 0.5, 41],
  ['a Pro user has four of them', [of('ada', 20), of('pat', 200, 'pro')], ADA, 0.5, 104],
  [
    'a Pro user needs a quarter of the rounds',
    [of('pat', 20, 'pro'), of('bob', 100)],
    user('pat', 'pro'),
    0.5,
    26,
  ],
  ['no more come than wait', [of('ada', 20), of('bob', 5)], ADA, 0.5, 25],
  ['checks have half of the calls', [of('ada', 20), of(null, 900)], ADA, 0.5, 40],
  ['or as many as wait', [of('ada', 20), of(null, 4)], ADA, 0.5, 24],
  ['or a quarter', [of('ada', 30), of(null, 900)], ADA, 0.25, 40],
  ['or all of them', [of(null, 900)], ADA, 1, 900],
  ['or none while people wait', [of('ada', 20), of(null, 900)], ADA, 0, 20],
  ['a check waits for as many of people', [of('ada', 500), of(null, 30)], CHECK, 0.5, 60],
  ['and for all of them without a share', [of('ada', 500), of(null, 30)], CHECK, 0, 530],
  ['and for none with all', [of('ada', 500), of(null, 30)], CHECK, 1, 30],
])('the time until a turn where %s', async (_name, waiting, requester, monitoringShare, calls) => {
  const { estimate } = start({ waiting, monitoringShare });
  const retryAfterMs = Math.floor(calls / 10) * 1_001;
  expect(await estimate.busy(requester)).toEqual({ kind: 'budget-busy', retryAfterMs });
});
