import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { CallLease } from '@casewatch/shared-state/call-queues/call-queue';
import type { BudgetCaller, CallSource } from '../domain/agency.ts';
import type { Budget } from './budget.ts';
import { BudgetRefusal } from './budget-refusal.ts';

/**
 * The turns of concurrent lookups of the same case. Each waits on its own turn and for its own time; the first
 * turn that comes is used for all, so that no caller waits longer because another asked first.
 */
export interface CallerTurns {
  /** Adds a caller, also while the others wait. A second time does nothing. */
  add(caller: BudgetCaller): void;
  /** @throws BudgetRefusal when every caller is refused: the one that may come back soonest */
  take(): Promise<CallLease>;
  /** `user` as soon as a person is among the callers. */
  source(): CallSource;
}

/** Ends the wait of the others. */
const TURN_TAKEN = new Error('another caller has its turn');

interface Entry {
  readonly caller: BudgetCaller;
  /** Of the wait for the budget, over all turns. */
  waitLeftMs: number;
}

export function createCallerTurns(options: {
  budget: Pick<Budget, 'take'>;
  clock: Clock;
  waitMs: Readonly<Record<CallSource, number>>;
}): CallerTurns {
  const { budget, clock, waitMs } = options;
  const entries = new Map<string, Entry>();
  let enter: ((entry: Entry) => void) | undefined;

  function takeFirst(): Promise<CallLease> {
    const enough = new AbortController();
    return new Promise((resolve, reject) => {
      let waiting = 0;
      let soonest: BudgetRefusal | undefined;

      async function wait(entry: Entry): Promise<void> {
        waiting += 1;
        const startedMs = clock.nowMs();
        try {
          const lease = await budget.take(entry.caller, entry.waitLeftMs, enough.signal);
          if (enough.signal.aborted) lease.release();
          else taken(lease);
        } catch (error) {
          if (!(error instanceof BudgetRefusal)) reject(error);
          else if (!soonest || error.retryAfterMs < soonest.retryAfterMs) soonest = error;
        }
        waiting -= 1;
        entry.waitLeftMs = Math.max(0, entry.waitLeftMs - (clock.nowMs() - startedMs));
        if (waiting === 0) reject(soonest);
      }

      function taken(lease: CallLease): void {
        enter = undefined;
        // Usually no other caller waits, and an abort costs as much processor time as the turn.
        if (waiting > 1) enough.abort(TURN_TAKEN);
        resolve(lease);
      }

      enter = (entry) => void wait(entry);
      for (const entry of entries.values()) enter(entry);
    });
  }

  return {
    add(caller) {
      const key = caller.source === 'user' ? caller.userId : '';
      if (entries.has(key)) return;
      const entry = { caller, waitLeftMs: waitMs[caller.source] };
      entries.set(key, entry);
      enter?.(entry);
    },
    async take() {
      try {
        return await takeFirst();
      } finally {
        enter = undefined;
      }
    },
    source: () => ([...entries.values()].some(({ caller }) => caller.source === 'user') ? 'user' : 'monitor'),
  };
}
