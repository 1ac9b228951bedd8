import { createMemoryCallQueues } from '@casewatch/shared-state/call-queues/memory-call-queues';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { mutateImports } from '@casewatch/testing/mutate-imports';
import { describe, expect, test } from 'vitest';
import {
  CHECKS_BESIDE_A_HEAVY_USER,
  callQueueContract,
  orderOf,
  type QueueUnderTest,
} from './call-queue-contract.ts';

const openFrom =
  (createQueues: typeof createMemoryCallQueues) =>
  async ({ calls = 5, scheduledShare = 0.5 }): Promise<QueueUnderTest> => {
    const clock = createManualClock();
    const queues = createQueues(clock);
    const queue = queues({ name: 'agency', calls, windowMs: 1_001, leaseMs: 2_000, scheduledShare });
    return { queue, pass: clock.advance };
  };

describe('a queue of calls in memory', () => {
  callQueueContract(openFrom(createMemoryCallQueues));
});

test('R12, shown able to fail: without its share scheduled work waits for all that a user has asked for', async () => {
  mutateImports([
    {
      file: 'packages/shared-state/src/call-queues/fair-queue.ts',
      find: 'return behind + share > allowedLead();',
      replace: 'return false;',
    },
  ]);
  const mutated = await import('@casewatch/shared-state/call-queues/memory-call-queues');
  const queue = await openFrom(mutated.createMemoryCallQueues)({ calls: 1 });
  const order = await orderOf(queue, CHECKS_BESIDE_A_HEAVY_USER);
  expect(order).toEqual(['heavy 1', 'heavy 2', 'heavy 3', 'check 1', 'check 2']);
});
