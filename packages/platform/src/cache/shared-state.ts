import type { Clock } from '../runtime/clock.ts';
import { type Cache, createMemoryCache } from './cache.ts';
import type { CallWindows } from './call-window.ts';
import { createMemoryInvalidation, type Invalidation } from './invalidation.ts';
import { type LimiterFactory, memoryLimiters } from './limiter.ts';

/** What the replicas of a service know together. Whoever uses it does not know where it is kept. */
export interface SharedState {
  readonly limiters: LimiterFactory;
  readonly cache: Cache;
  readonly invalidation: Invalidation;
  /** Undefined where there is only one process: it counts its calls itself. */
  readonly callWindows: CallWindows | undefined;
  stop(): Promise<void>;
}

/** For a process that shares nothing with others. */
export function createMemoryState(clock: Clock): SharedState {
  return {
    limiters: memoryLimiters,
    cache: createMemoryCache(clock),
    invalidation: createMemoryInvalidation(),
    callWindows: undefined,
    stop: async () => undefined,
  };
}
