import { afterEach, beforeEach, describe, vi } from 'vitest';
import { describeLimiters } from '../../test/limiter-contract.ts';
import { memoryLimiters } from './limiter.ts';

describe('limits in memory', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
  describeLimiters(
    () => memoryLimiters,
    async (seconds) => void vi.setSystemTime(Date.now() + seconds * 1000),
  );
});
