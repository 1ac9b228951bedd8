import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { type Cache, createMemoryCache } from './cache/cache.ts';
import type { CallQueues } from './call-queues/call-queue.ts';
import { createMemoryCallQueues } from './call-queues/memory-call-queues.ts';
import { createMemoryInvalidation, type Invalidation } from './invalidation/invalidation.ts';
import { type LimiterFactory, memoryLimiters } from './limits/limiter.ts';
import type { PubSub } from './pub-sub/pub-sub.ts';

/** State that the replicas of a service share, wherever it is stored. */
export interface SharedState {
  readonly limiters: LimiterFactory;
  readonly cache: Cache;
  readonly invalidation: Invalidation;
  readonly callQueues: CallQueues;
  /** Where there is a server for it. */
  readonly pubSub: PubSub | undefined;
  stop(): Promise<void>;
}

/** Shared state of a single process, in memory. */
export function createMemoryState(clock: Clock): SharedState {
  return {
    limiters: memoryLimiters,
    cache: createMemoryCache(clock),
    invalidation: createMemoryInvalidation(),
    callQueues: createMemoryCallQueues(clock),
    pubSub: undefined,
    stop: async () => undefined,
  };
}
