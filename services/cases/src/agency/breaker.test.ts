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
  expect(next).toEqual(
    opens ? { kind: 'failure', failure: { kind: 'resting', retryAfterMs: REST_MS } } : ANSWERED,
  );
});
