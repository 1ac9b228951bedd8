import { describe } from 'vitest';
import { describeInvalidation } from '../../test/cache/invalidation-contract.ts';
import { createMemoryInvalidation } from './invalidation.ts';

describe('news in one process', () => {
  describeInvalidation(async () => createMemoryInvalidation());
});
