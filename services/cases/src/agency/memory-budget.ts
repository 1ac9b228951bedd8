import type { Clock } from '@casewatch/platform/runtime/clock';
import { type Budget, BudgetRefusal, type CallSource, type Lease } from './budget.ts';
import { createCallSlots } from './call-slots.ts';
import type { DayQuota } from './day-quota.ts';

interface Waiter {
  readonly source: CallSource;
  readonly deadlineMs: number;
  readonly grant: (lease: Lease) => void;
  readonly refuse: (reason: unknown) => void;
}

/** The budget of one process. */
export function createMemoryBudget(options: {
  clock: Clock;
  callsPerSecond: number;
  quota: DayQuota;
}): Budget {
  const { clock, callsPerSecond, quota } = options;
  const slots = createCallSlots(clock, callsPerSecond);
  const waiting: Record<CallSource, Waiter[]> = { user: [], monitor: [] };
  const stopping = new AbortController();
  let pausedUntilMs = 0;
  let serving = false;

  /** How long a call with so many others before it waits at least. */
  function msUntilTurn(ahead: number, now: number): number {
    const afterThePause = Math.floor(ahead / callsPerSecond) * 1_000;
    return Math.max(slots.msUntilFree(ahead), pausedUntilMs - now + afterThePause);
  }

  /** Whether anybody was: called while there is no slot, so that a slow process refuses nobody whose turn it is. */
  function refuseTheLate(now: number): boolean {
    let refused = false;
    for (const source of ['user', 'monitor'] as const) {
      const late = waiting[source].filter(({ deadlineMs }) => deadlineMs < now);
      if (late.length === 0) continue;
      waiting[source] = waiting[source].filter(({ deadlineMs }) => deadlineMs >= now);
      for (const waiter of late) waiter.refuse(busy(msUntilTurn(0, now)));
      refused = true;
    }
    return refused;
  }

  async function sleep(ms: number, now: number): Promise<void> {
    const deadlines = [...waiting.user, ...waiting.monitor].map(({ deadlineMs }) => deadlineMs);
    const firstDeadlineMs = deadlines.reduce((first, deadlineMs) => Math.min(first, deadlineMs));
    await clock.sleep(Math.min(ms, slots.msUntilNews(), firstDeadlineMs - now + 1), stopping.signal);
  }

  async function serveInTurn(): Promise<void> {
    serving = true;
    for (;;) {
      const now = clock.nowMs();
      const line = waiting.user.length > 0 ? waiting.user : waiting.monitor;
      const first = line[0];
      if (!first) {
        // In the same step as the last look at the lines: a newcomer either is seen here or starts anew.
        serving = false;
        return;
      }
      const turnInMs = msUntilTurn(0, now);
      if (turnInMs > 0) {
        if (!refuseTheLate(now)) await sleep(turnInMs, now);
        continue;
      }
      try {
        await quota.spend(first.source);
        first.grant(slots.use());
      } catch (refusal) {
        first.refuse(refusal);
      }
      // Only now, so that newcomers saw it before them meanwhile.
      line.shift();
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
    take(source, withinMs) {
      const now = clock.nowMs();
      const ahead = waiting.user.length + (source === 'monitor' ? waiting.monitor.length : 0);
      const turnInMs = msUntilTurn(ahead, now);
      if (turnInMs > withinMs || stopping.signal.aborted) return Promise.reject(busy(turnInMs));
      return new Promise((grant, refuse) => {
        waiting[source].push({ source, deadlineMs: now + withinMs, grant, refuse });
        serve();
      });
    },
    pause(ms) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.nowMs() + ms);
    },
    async stop() {
      stopping.abort(busy(1_000));
      await quota.stop();
    },
  };
}

function busy(retryAfterMs: number): BudgetRefusal {
  return new BudgetRefusal('busy', Math.max(0, retryAfterMs));
}
