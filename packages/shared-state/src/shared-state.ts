import { createMemoryInvalidation, type Invalidation } from './invalidation/invalidation.ts';
import { type LimiterFactory, memoryLimiters } from './limits/limiter.ts';
import type { PubSub } from './pub-sub/pub-sub.ts';

/** State that the replicas of a service share, wherever it is stored. */
export interface SharedState {
  readonly limiters: LimiterFactory;
  readonly invalidation: Invalidation;
  /** Where there is a server for it. */
  readonly pubSub: PubSub | undefined;
  /** Rejects while that server does not answer. */
  readonly ping?: () => Promise<unknown>;
  stop(): Promise<void>;
}

/** Creates the shared state of a single process, in memory. */
export function createMemoryState(): SharedState {
  return {
    limiters: memoryLimiters,
    invalidation: createMemoryInvalidation(),
    pubSub: undefined,
    stop: async () => undefined,
  };
}
