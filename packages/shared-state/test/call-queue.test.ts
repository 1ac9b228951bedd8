import { createMemoryCallQueues } from '@casewatch/shared-state/call-queues/memory-call-queues';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { describe } from 'vitest';
import { callQueueContract } from './call-queue-contract.ts';

describe('a queue of calls in memory', () => {
  callQueueContract(async ({ calls = 5, scheduledShare = 0.5 }) => {
    const clock = createManualClock();
    const queues = createMemoryCallQueues(clock);
    const queue = queues({ name: 'agency', calls, windowMs: 1_001, leaseMs: 2_000, scheduledShare });
    return { queue, pass: clock.advance };
  });
});
