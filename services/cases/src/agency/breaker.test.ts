import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AgencyResult } from '../domain/agency.ts';
import { createAgencyBreaker } from './breaker.ts';

const REST_MS = 15_000;
const FAILED: AgencyResult = { kind: 'failure', failure: { kind: 'timeout' } };
const ANSWERED: AgencyResult = { kind: 'not-recognised' };

// The breaker's library reads Date.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

it('is open until the agency has answered again, also while one call tries it', async () => {
  const breaker = createAgencyBreaker(REST_MS);
  for (let failed = 0; failed < 5; failed++) await breaker.run(async () => FAILED);
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
