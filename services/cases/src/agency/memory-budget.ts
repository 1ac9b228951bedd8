import type { Clock } from '@casewatch/platform/runtime/clock';
import { type Budget, BudgetRefusal, type CallSource } from './budget.ts';
import type { DayQuota } from './day-quota.ts';

/**
 * A second, and a little more: the agency counts calls as they arrive, and two calls that leave a second apart may
 * arrive a few milliseconds closer. Costs 1.5 % of the budget.
 */
const WINDOW_MS = 1_015;

interface Waiter {
  readonly source: CallSource;
  readonly deadlineMs: number;
  readonly grant: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** The budget of one process. `waitMs` is the longest that anybody waits for a call. */
export function createMemoryBudget(options: {
  clock: Clock;
  callsPerSecond: number;
  waitMs: number;
  quota: DayQuota;
}): Budget {
  const { clock, callsPerSecond, waitMs, quota } = options;
  const waiting: Record<CallSource, Waiter[]> = { user: [], monitor: [] };
  const stopping = new AbortController();
  /** Times of the last calls, oldest first, at most as many as a second allows. */
  const granted: number[] = [];
  let pausedUntilMs = 0;
  let serving = false;

  function msUntilSlot(now: number): number {
    const oldest = granted.length < callsPerSecond ? undefined : granted[0];
    const slotAtMs = oldest === undefined ? now : oldest + WINDOW_MS;
    return Math.max(slotAtMs, pausedUntilMs) - now;
  }

  /** How long a newcomer waits at least. */
  function msUntilTurn(source: CallSource, now: number): number {
    const ahead = waiting.user.length + (source === 'monitor' ? waiting.monitor.length : 0);
    return Math.max(0, msUntilSlot(now)) + Math.floor(ahead / callsPerSecond) * WINDOW_MS;
  }

  function refuseTheLate(now: number): void {
    for (const line of Object.values(waiting)) {
      while (line[0] && line[0].deadlineMs < now) line.shift()?.refuse(busy(msUntilSlot(now)));
    }
  }

  async function serveInTurn(): Promise<void> {
    serving = true;
    for (;;) {
      const now = clock.nowMs();
      refuseTheLate(now);
      const line = waiting.user.length > 0 ? waiting.user : waiting.monitor;
      const first = line[0];
      if (!first) {
        // In the same step as the last look at the lines: a newcomer either is seen here or starts anew.
        serving = false;
        return;
      }
      const slotInMs = msUntilSlot(now);
      if (slotInMs > 0) {
        await clock.sleep(Math.min(slotInMs, first.deadlineMs - now + 1), stopping.signal);
        continue;
      }
      line.shift();
      try {
        await quota.spend(first.source);
      } catch (refusal) {
        first.refuse(refusal);
        continue;
      }
      granted.push(clock.nowMs());
      if (granted.length > callsPerSecond) granted.shift();
      first.grant();
    }
  }

  function serve(): void {
    if (serving) return;
    // Only the end of the process interrupts the sleep.
    serveInTurn().catch((reason) => {
      serving = false;
      for (const waiter of [...waiting.user.splice(0), ...waiting.monitor.splice(0)]) waiter.refuse(reason);
    });
  }

  return {
    take(source) {
      const now = clock.nowMs();
      const turnInMs = msUntilTurn(source, now);
      if (turnInMs > waitMs || stopping.signal.aborted) return Promise.reject(busy(turnInMs));
      return new Promise((grant, refuse) => {
        waiting[source].push({ source, deadlineMs: now + waitMs, grant, refuse });
        serve();
      });
    },
    pause(ms) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.nowMs() + ms);
    },
    async stop() {
      stopping.abort(busy(WINDOW_MS));
      await quota.stop();
    },
  };
}

function busy(retryAfterMs: number): BudgetRefusal {
  return new BudgetRefusal('busy', Math.max(1_000, retryAfterMs));
}
