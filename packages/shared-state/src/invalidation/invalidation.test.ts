import { describe } from 'vitest';
import { describeInvalidation } from '../../test/invalidation-contract.ts';
import { createMemoryInvalidation } from './invalidation.ts';

describe('session invalidation in one process', () => {
  describeInvalidation(async () => createMemoryInvalidation());
});
