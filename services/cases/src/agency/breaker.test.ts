import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AgencyResult } from '../domain/agency.ts';
import type { FailureKind } from '../domain/agency-failure.ts';
import { createAgencyBreaker } from './breaker.ts';

const REST_MS = 15_000;
const FAILED: AgencyResult = { kind: 'failure', failure: { kind: 'timeout' } };
const ANSWERED: AgencyResult = { kind: 'not-recognised' };

// The breaker's library reads Date.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

it('is open until the agency has answered again, also while one call tries it', async () => {
  const breaker = createAgencyBreaker(REST_MS);
  for (let failed = 0; failed < 4; failed++) await breaker.run(async () => FAILED);
  expect(breaker.isOpen()).toBe(false);
  await breaker.run(async () => FAILED);
  expect(breaker.isOpen()).toBe(true);

  vi.setSystemTime(Date.now() + REST_MS);
  const isOpenDuring = async (result: AgencyResult) => {
    let isOpen: boolean | undefined;
    await breaker.run(async () => {
      isOpen = breaker.isOpen();
      return result;
    });
    return isOpen;
  };
  expect(await isOpenDuring(FAILED)).toBe(true);
  expect(breaker.isOpen()).toBe(true);

  vi.setSystemTime(Date.now() + REST_MS);
  expect(await isOpenDuring(ANSWERED)).toBe(true);
  expect(breaker.isOpen()).toBe(false);
});

/** A breaker whose rest is over. */
async function rested() {
  const breaker = createAgencyBreaker(REST_MS);
  for (let failed = 0; failed < 5; failed++) await breaker.run(async () => FAILED);
  vi.setSystemTime(Date.now() + REST_MS);
  return breaker;
}
const resting = (retryAfterMs: number): AgencyResult => ({
  kind: 'failure',
  failure: { kind: 'resting', retryAfterMs },
});

it('has all others answered at once while one call tries, and lets them call when that was answered', async () => {
  const breaker = await rested();
  const answer = Promise.withResolvers<AgencyResult>();
  const trial = breaker.run(() => answer.promise);
  const calls: string[] = [];
  const call = () => {
    calls.push('called');
    return Promise.resolve(ANSWERED);
  };
  expect(await Promise.all([breaker.run(call), breaker.run(call)])).toEqual([resting(1_000), resting(1_000)]);
  expect(calls).toEqual([]);
  answer.resolve(ANSWERED);
  expect(await trial).toEqual(ANSWERED);
  expect(await Promise.all([breaker.run(call), breaker.run(call)])).toEqual([ANSWERED, ANSWERED]);
});

it('stays open where no call was made after all, and the next one tries at once', async () => {
  const breaker = await rested();
  const refused = new Error('no turn');
  for (let nth = 0; nth < 3; nth++) {
    await expect(breaker.run(() => Promise.reject(refused))).rejects.toBe(refused);
    expect(breaker.isOpen()).toBe(true);
  }
  expect(await breaker.run(async () => FAILED)).toEqual(FAILED);
  expect(await breaker.run(async () => ANSWERED)).toEqual(resting(REST_MS));
  vi.setSystemTime(Date.now() + REST_MS);
  expect(await breaker.run(async () => ANSWERED)).toEqual(ANSWERED);
  expect(breaker.isOpen()).toBe(false);
});

it('does not count what no call was made for', async () => {
  const breaker = createAgencyBreaker(REST_MS);
  const refused = new Error('no turn');
  for (let nth = 0; nth < 10; nth++)
    await expect(breaker.run(() => Promise.reject(refused))).rejects.toBe(refused);
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
  const breaker = createAgencyBreaker(REST_MS);
  for (let failed = 0; failed < 5; failed++) {
    await breaker.run(async () => ({ kind: 'failure', failure: { kind } }));
  }
  expect(breaker.isOpen()).toBe(opens);
  const next = await breaker.run(async () => ANSWERED);
  expect(next).toEqual(opens ? resting(REST_MS) : ANSWERED);
});
