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

/** Ends the wait of the others; made once, since it is needed at every call. */
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

  function takeFirst(enough: AbortController): Promise<CallLease> {
    return new Promise((resolve, reject) => {
      let open = 0;
      let soonest: BudgetRefusal | undefined;
      enter = (entry) => {
        open += 1;
        const startedMs = clock.nowMs();
        budget
          .take(entry.caller, entry.waitLeftMs, enough.signal)
          .then((lease) => {
            if (enough.signal.aborted) return lease.release();
            enough.abort(TURN_TAKEN);
            return resolve(lease);
          })
          .catch((error: unknown) => {
            if (!(error instanceof BudgetRefusal)) return reject(error);
            if (!soonest || error.retryAfterMs < soonest.retryAfterMs) soonest = error;
          })
          .finally(() => {
            open -= 1;
            entry.waitLeftMs = Math.max(0, entry.waitLeftMs - (clock.nowMs() - startedMs));
            if (open === 0) reject(soonest);
          });
      };
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
      const enough = new AbortController();
      try {
        return await takeFirst(enough);
      } finally {
        enter = undefined;
      }
    },
    source: () => ([...entries.values()].some(({ caller }) => caller.source === 'user') ? 'user' : 'monitor'),
  };
}
