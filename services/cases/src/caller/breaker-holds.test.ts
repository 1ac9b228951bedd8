import { beforeEach, expect, it } from 'vitest';
import type { AgencyResult } from '../domain/agency.ts';
import { type AgencyBreaker, type Asking, createAgencyBreaker } from './breaker.ts';

const REST_MS = 15_000;
const FAILED: AgencyResult = { kind: 'failure', failure: { kind: 'timeout' } };
const ANSWERED: AgencyResult = { kind: 'not-recognized' };

const asking = (participant: string, receiptNumber = `case of ${participant}`): Asking => ({
  participant,
  receiptNumber,
});
const check = (receiptNumber: string) => asking('', receiptNumber);
const [ADA, BOB, CEM] = [asking('ada'), asking('bob'), asking('cem')];

let nowMs: number;
let breaker: AgencyBreaker;
beforeEach(() => {
  nowMs = 1_000_000;
  breaker = createAgencyBreaker(REST_MS, { nowMs: () => nowMs });
});

const rest = (ms: number) => {
  nowMs += ms;
};
const fail = (one: Asking) => breaker.run(one, async () => FAILED);
const answer = (one: Asking) => breaker.run(one, async () => ANSWERED);
/** Five users with a case each, for whom the agency fails. */
async function failForAll() {
  for (let nth = 0; nth < 5; nth++) await fail(asking(`user-${nth}`));
}
const left = (...all: Asking[]) => all.map((one) => breaker.restOf(one)?.retryAfterMs);

it('holds back one case that always fails, whoever asks for it, and nobody else', async () => {
  const bad = Array.from({ length: 40 }, (_, nth) => asking(`user-${nth}`, 'bad'));
  for (const one of bad) await fail(one);
  expect(left(ADA, asking('ada', 'bad'))).toEqual([undefined, REST_MS]);
  expect(left(asking('user-0', 'good'), check('good'))).toEqual([undefined, undefined]);
  expect(breaker.isOpen()).toBe(false);
});

it('holds back one user with many cases that fail, and nobody else', async () => {
  for (let nth = 0; nth < 50; nth++) await fail(asking('ada', `bad-${nth}`));
  expect(left(ADA, BOB, check('watched'))).toEqual([REST_MS, undefined, undefined]);
  expect(breaker.isOpen()).toBe(false);
});

it('lets one call of people and one check try when all fail, first after a second, of those that have not failed', async () => {
  await failForAll();
  expect(left(asking('user-0'), BOB, check('watched'))).toEqual([REST_MS, 1_000, 1_000]);
  rest(1_000);
  expect(left(BOB, check('watched'))).toEqual([undefined, undefined]);
  expect(await fail(BOB)).toEqual(FAILED);
  expect(left(BOB, CEM, check('watched'))).toEqual([REST_MS - 1_000, 2_000, 1_000]);
  rest(1_000);
  expect(await fail(check('watched'))).toEqual(FAILED);
  expect(left(CEM)).toEqual([3_000]);
  rest(3_000);
  expect(await answer(CEM)).toEqual(ANSWERED);
  expect(left(asking('user-0'), BOB, CEM, check('watched'))).toEqual(Array(4).fill(undefined));
});

it('has few calls made while the agency is down for 40 users', async () => {
  let calls = 0;
  for (let ms = 0; ms < 120_000; ms += 100) {
    await breaker.run(asking(`user-${(ms / 100) % 40}`), async () => {
      calls += 1;
      return FAILED;
    });
    rest(100);
  }
  // Of 1,200: five, some of the others, ever more rarely, and one in a rest.
  expect(calls).toBeLessThanOrEqual(25);
});

it('does not close again to everyone for those who failed before', async () => {
  await failForAll();
  for (let round = 0; round < 20; round++) {
    rest(1_000);
    expect(await answer(BOB)).toEqual(ANSWERED);
    await failForAll();
    expect(breaker.isOpen()).toBe(false);
  }
  // Ten rests after they failed last they count again.
  rest(10 * REST_MS);
  await answer(BOB);
  await failForAll();
  expect(breaker.isOpen()).toBe(true);
});

it('gives checks of a case that failed no time that would hold back all checks', async () => {
  for (let nth = 0; nth < 5; nth++) await fail(check('bad'));
  expect(breaker.restOf(check('bad'))).toEqual({ kind: 'resting' });
  expect(breaker.restOf(check('good'))).toBeUndefined();
});
