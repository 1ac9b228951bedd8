import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test, vi } from 'vitest';
import { createOutboxPublisher } from '../src/outbox-publisher.ts';
import { counted } from './bus-scenarios.ts';

test.each([1, 2])(
  'publishing %i events fails with the write that fails, and gives no hint',
  async (events) => {
    const publishing = vi.fn();
    const { publishAll } = createOutboxPublisher({ clock: createManualClock(), publishing });
    const tx: SqlExecutor = { query: () => Promise.reject(new Error('the disk is full')) };
    const payloads = Array.from({ length: events }, (_, n) => ({ userId: `user-${n}`, loginCount: 1 }));
    await expect(publishAll(tx, counted, payloads)).rejects.toThrow('the disk is full');
    expect(publishing).not.toHaveBeenCalled();
  },
);
