import type { AgencyFailure } from './agency-failure.ts';
import type { Outcome } from './agency-queue.ts';
import type { Requester } from './lookup.ts';
import type { QueueEstimate } from './queue-estimate.ts';
import { createQueueWaits, type QueueWaitsOptions } from './wait-in-queue.ts';

export interface AskAgency {
  /**
   * Waits in the queue until the caller has asked the agency for this case, or asked it for another user. Never longer
   * than `waitMs` for a turn.
   * @throws where the queue cannot be read
   */
  ask(receiptNumber: string, requester: Requester, waitMs: number): Promise<Outcome>;
}

interface AskAgencyOptions extends QueueWaitsOptions {
  estimate: QueueEstimate;
  metrics: { refused(reason: 'second'): void };
  /** Time for a turn that comes at once: a caller in another process has to see the row. */
  leastWaitMs: number;
}

export function createAskAgency(options: AskAgencyOptions): AskAgency {
  const { estimate, metrics, leastWaitMs } = options;
  const waitInQueue = createQueueWaits(options);

  function refused(failure: AgencyFailure): Outcome {
    metrics.refused('second');
    return { kind: 'failure', failure };
  }

  return {
    async ask(receiptNumber, requester, waitMs) {
      const admission = await estimate.enter(requester, waitMs);
      if ('refusal' in admission) return refused(admission.refusal);
      try {
        const outcome = await waitInQueue({
          receiptNumber,
          requester,
          waitMs: Math.max(waitMs, leastWaitMs),
        });
        if (outcome !== 'no-turn') return outcome;
        const failure = await estimate.busy(requester);
        // A client that has left was refused nothing.
        return requester.lookup.signal?.aborted ? { kind: 'failure', failure } : refused(failure);
      } finally {
        admission.leave();
      }
    },
  };
}
