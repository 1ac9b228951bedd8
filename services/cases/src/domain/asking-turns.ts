import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Cache } from '@casewatch/shared-state/cache/cache';

/**
 * Which process asks the agency for a receipt number while people in several of them wait for it. A courtesy that
 * saves calls: when the shared memory is unavailable, every process asks.
 */
export interface AskingTurns {
  /** Whether it is this process's turn now. Its holder ends it when the answer is stored. */
  take(receiptNumber: string): Promise<boolean>;
  end(receiptNumber: string): Promise<void>;
  /**
   * Waits while another process has its turn: until `look` finds what it stored, else until its turn is over.
   * Resolves to what was found.
   */
  waitFor<Found>(receiptNumber: string, look: () => Promise<Found | undefined>): Promise<Found | undefined>;
}

const LOOK_EVERY_MS = 50;

/** A turn whose process died is over after `longestMs`. */
export function createAskingTurns(deps: { cache: Cache; clock: Clock; longestMs: number }): AskingTurns {
  const { cache, clock, longestMs } = deps;
  const keyOf = (receiptNumber: string) => `asking:${receiptNumber}`;
  return {
    take: (receiptNumber) => cache.add(keyOf(receiptNumber), '1', longestMs),
    end: (receiptNumber) => cache.delete(keyOf(receiptNumber)),
    async waitFor(receiptNumber, look) {
      const deadlineMs = clock.nowMs() + longestMs;
      while (clock.nowMs() < deadlineMs) {
        const isTaken = (await cache.get(keyOf(receiptNumber))) !== undefined;
        // Looked at after that: what the other has learnt is stored before its turn ends.
        const found = await look();
        if (found !== undefined || !isTaken) return found;
        await clock.sleep(LOOK_EVERY_MS);
      }
      return undefined;
    },
  };
}
