import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgencyResult } from '../domain/agency.ts';
import type { FailureKind } from '../domain/agency-failure.ts';
import { type AgencyBreaker, type Asking, createAgencyBreaker } from './breaker.ts';

const REST_MS = 15_000;
const asking = (participant: string, receiptNumber = `case of ${participant}`): Asking => ({
  participant,
  receiptNumber,
});
const ADA = asking('ada');
const BOB = asking('bob');
const FAILED: AgencyResult = { kind: 'failure', failure: { kind: 'timeout' } };
const ANSWERED: AgencyResult = { kind: 'not-recognized' };

let nowMs = 1_000_000;
const clock = { nowMs: () => nowMs };
const restLeftMs = (breaker: AgencyBreaker, of: Asking) => breaker.restOf(of)?.retryAfterMs;
/** Five users with a case each, for whom the agency fails. */
async function failForAll(breaker: AgencyBreaker) {
  for (let nth = 0; nth < 5; nth++) await breaker.run(asking(`user-${nth}`), async () => FAILED);
}
const rest = (ms = REST_MS) => {
  nowMs += ms;
};

it('is open until the agency has answered again, also while one call tries it', async () => {
  const breaker = createAgencyBreaker(REST_MS, clock);
  for (let nth = 0; nth < 4; nth++) await breaker.run(asking(`user-${nth}`), async () => FAILED);
  expect(breaker.isOpen()).toBe(false);
  await breaker.run(ADA, async () => FAILED);
  expect(breaker.isOpen()).toBe(true);

  rest();
  const isOpenDuring = async (result: AgencyResult) => {
    let isOpen: boolean | undefined;
    await breaker.run(ADA, async () => {
      isOpen = breaker.isOpen();
      return result;
    });
    return isOpen;
  };
  expect(await isOpenDuring(FAILED)).toBe(true);
  expect(breaker.isOpen()).toBe(true);

  rest();
  expect(await isOpenDuring(ANSWERED)).toBe(true);
  expect(breaker.isOpen()).toBe(false);
});

/** A breaker whose rest is over. */
async function rested() {
  const breaker = createAgencyBreaker(REST_MS, clock);
  await breaker.run(ADA, async () => FAILED);
  await failForAll(breaker);
  rest();
  return breaker;
}
const resting = (retryAfterMs: number): AgencyResult => ({
  kind: 'failure',
  failure: { kind: 'resting', retryAfterMs },
});

it('has all others answered at once while one call tries, and lets them call when that was answered', async () => {
  const breaker = await rested();
  const answer = Promise.withResolvers<AgencyResult>();
  const trial = breaker.run(ADA, () => answer.promise);
  const calls: string[] = [];
  const call = () => {
    calls.push('called');
    return Promise.resolve(ANSWERED);
  };
  expect(await Promise.all([breaker.run(ADA, call), breaker.run(ADA, call)])).toEqual([
    resting(1_000),
    resting(1_000),
  ]);
  expect(calls).toEqual([]);
  answer.resolve(ANSWERED);
  expect(await trial).toEqual(ANSWERED);
  expect(await Promise.all([breaker.run(ADA, call), breaker.run(ADA, call)])).toEqual([ANSWERED, ANSWERED]);
});

it('stays open where no call was made after all, and the next one tries at once', async () => {
  const breaker = await rested();
  const refused = new Error('no turn');
  for (let nth = 0; nth < 3; nth++) {
    await expect(breaker.run(ADA, () => Promise.reject(refused))).rejects.toBe(refused);
    expect(breaker.isOpen()).toBe(true);
  }
  expect(await breaker.run(ADA, async () => FAILED)).toEqual(FAILED);
  expect(await breaker.run(ADA, async () => ANSWERED)).toEqual(resting(REST_MS));
  rest();
  expect(await breaker.run(ADA, async () => ANSWERED)).toEqual(ANSWERED);
  expect(breaker.isOpen()).toBe(false);
});

it('does not count what no call was made for', async () => {
  const breaker = createAgencyBreaker(REST_MS, clock);
  const refused = new Error('no turn');
  for (let nth = 0; nth < 10; nth++)
    await expect(breaker.run(ADA, () => Promise.reject(refused))).rejects.toBe(refused);
  expect(breaker.isOpen()).toBe(false);
});

it.each<[FailureKind, boolean]>([
  ['unavailable', true],
  ['maintenance', true],
  ['unexpected', true],
  ['timeout', true],
  ['unreachable', true],
  ['credentials', true],
  ['refused', false],
  ['rate-limited', false],
  ['quota-spent', false],
  ['unreadable', false],
  ['budget-busy', false],
])('five times %s in a row: open is %s', async (kind, opens) => {
  const breaker = createAgencyBreaker(REST_MS, clock);
  for (let nth = 0; nth < 5; nth++) {
    await breaker.run(asking(`user-${nth}`), async () => ({ kind: 'failure', failure: { kind } }));
  }
  expect(breaker.isOpen()).toBe(opens);
  const next = await breaker.run(asking('user-0'), async () => ANSWERED);
  expect(next).toEqual(opens ? resting(REST_MS) : ANSWERED);
});

it('rests for what is left of the rest, and no longer when the clock is set back', async () => {
  const breaker = createAgencyBreaker(REST_MS, clock);
  for (let failed = 0; failed < 5; failed++) await breaker.run(ADA, async () => FAILED);
  rest(4_000);
  expect(await breaker.run(ADA, async () => ANSWERED)).toEqual(resting(REST_MS - 4_000));
  rest(-3_600_000);
  expect(await breaker.run(ADA, async () => ANSWERED)).toEqual(ANSWERED);
  expect(breaker.isOpen()).toBe(false);
});

it('is not opened or closed by a call that began before the rest', async () => {
  const breaker = createAgencyBreaker(REST_MS, clock);
  const late = [Promise.withResolvers<AgencyResult>(), Promise.withResolvers<AgencyResult>()] as const;
  const lateResults = late.map(({ promise }) => breaker.run(ADA, () => promise));
  await failForAll(breaker);
  late[0].resolve(ANSWERED);
  expect(await lateResults[0]).toEqual(ANSWERED);
  expect(breaker.isOpen()).toBe(true);
  rest();
  expect(await breaker.run(BOB, async () => ANSWERED)).toEqual(ANSWERED);
  late[1].resolve(FAILED);
  expect(await lateResults[1]).toEqual(FAILED);
  expect(breaker.isOpen()).toBe(false);
});

/** Calls that begin, end and fail in any order, and the time that passes between. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('begin' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(20),
      how: fc.constantFrom('failure', 'failure', 'failure', 'failure', 'answer', 'throw'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rest' as const),
      ms: fc.constantFrom(REST_MS, REST_MS, 1_000),
    }),
  },
);

it('returns its own result to every call, in any interleaving of calls, failures and rests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 150, size: 'max' }), async (steps) => {
      const breaker = createAgencyBreaker(REST_MS, clock);
      const open: { nth: number; call: PromiseWithResolvers<AgencyResult>; outcome: Promise<unknown> }[] = [];
      const expected: [Promise<unknown>, unknown][] = [];
      let begun = 0;
      for (const one of steps) {
        if (one.kind === 'rest') {
          rest(one.ms);
        } else if (one.kind === 'begin') {
          const nth = begun++;
          const call = Promise.withResolvers<AgencyResult>();
          let hasBegun = false;
          const outcome = breaker
            .run(ADA, () => {
              hasBegun = true;
              return call.promise;
            })
            .catch((error: unknown) => error);
          if (hasBegun) open.push({ nth, call, outcome });
        } else {
          const [ended] = open.splice(one.which % Math.max(1, open.length), 1);
          if (!ended) continue;
          const detail = `call ${ended.nth}`;
          if (one.how === 'throw') {
            const error = new Error(detail);
            ended.call.reject(error);
            expected.push([ended.outcome, error]);
          } else {
            const kind = one.how === 'answer' ? ('refused' as const) : ('timeout' as const);
            const result: AgencyResult = { kind: 'failure', failure: { kind, detail } };
            ended.call.resolve(result);
            expected.push([ended.outcome, result]);
          }
          await ended.outcome;
        }
      }
      for (const [outcome, own] of expected) expect(await outcome).toBe(own);
    }),
    { numRuns: 2_000 },
  );
});

it('says how long the agency is left alone, and nothing of that where a call may be made', async () => {
  const breaker = createAgencyBreaker(REST_MS, clock);
  for (let failed = 0; failed < 4; failed++) await breaker.run(ADA, async () => FAILED);
  expect(restLeftMs(breaker, ADA)).toBeUndefined();
  await breaker.run(ADA, async () => FAILED);
  expect(restLeftMs(breaker, ADA)).toBe(REST_MS);
  rest(REST_MS - 1);
  expect(restLeftMs(breaker, ADA)).toBe(1);
  rest(1);
  expect(restLeftMs(breaker, ADA)).toBeUndefined();
  // The others wait about as long as the trial takes, and never longer than a rest.
  const answer = Promise.withResolvers<AgencyResult>();
  const trial = breaker.run(ADA, () => answer.promise);
  expect(restLeftMs(breaker, ADA)).toBe(1_000);
  answer.resolve(FAILED);
  await trial;
  expect(restLeftMs(breaker, ADA)).toBe(REST_MS);
});

it('counts rests without a connection, and none whose calls had one', async () => {
  const breaker = createAgencyBreaker(REST_MS, clock);
  const reset: AgencyResult = { kind: 'failure', failure: { kind: 'unreachable' } };
  const unconnected: AgencyResult = {
    kind: 'failure',
    failure: { kind: 'unreachable', isUnconnected: true },
  };
  for (const [result, rests] of [
    [reset, 0],
    [unconnected, 3],
  ] as const) {
    for (let nth = 0; nth < 5; nth++) await breaker.run(ADA, async () => result);
    for (let nth = 0; nth < 2; nth++) {
      rest();
      await breaker.run(ADA, async () => result);
    }
    expect(breaker.unconnectedRests()).toBe(rests);
    rest();
    await breaker.run(ADA, async () => ANSWERED);
  }
  expect(breaker.unconnectedRests()).toBe(0);
});

it('ends the rest when a call of another user is answered, whatever a trial from before comes to', async () => {
  const breaker = await rested();
  const trial = Promise.withResolvers<AgencyResult>();
  const tried = breaker.run(ADA, () => trial.promise);
  expect([ADA, BOB].map((one) => restLeftMs(breaker, one))).toEqual([1_000, undefined]);
  await breaker.run(BOB, async () => ANSWERED);
  trial.resolve(FAILED);
  await tried;
  expect(breaker.isOpen()).toBe(false);
  for (let failed = 0; failed < 4; failed++) await breaker.run(ADA, async () => FAILED);
  expect(restLeftMs(breaker, ADA)).toBeUndefined();
});
