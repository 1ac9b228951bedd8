import { createManualClock } from '@casewatch/testing/manual-clock';
import { describe } from 'vitest';
import { describeCache } from '../../test/cache-contract.ts';
import { createMemoryCache } from './cache.ts';

describe('the cache in memory', () => {
  const clock = createManualClock();
  describeCache(
    () => createMemoryCache(clock),
    (ms) => clock.advance(ms),
  );
});
