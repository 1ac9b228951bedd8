import type { CallWindows } from '@casewatch/platform/cache/call-window';
import type { Clock } from '@casewatch/platform/runtime/clock';
import type { Logger } from '@casewatch/platform/runtime/logger';
import { type Budget, BudgetRefusal, type CallSource, type Lease } from './budget.ts';
import type { DayQuota } from './day-quota.ts';

/** A second, and one millisecond because the agency may cut its times to whole ones. */
const WINDOW_MS = 1_001;
/** A call still without an answer is taken to have arrived by now; else a hanging agency would hold the budget up. */
const LONGEST_UNDER_WAY_MS = 2_000;
/** When to come back while nobody can count. */
const AWAY_RETRY_MS = 2_000;
/** Places told of later than this were taken too long ago to be used. */
const STALE_MS = LONGEST_UNDER_WAY_MS / 2;

interface Waiter {
  readonly source: CallSource;
  readonly deadlineMs: number;
  readonly grant: (lease: Lease) => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * The budget of several processes: the places of the second are counted in one store for all of them, the day's calls
 * in the ledger. While the store is away nobody gets a call. People go before the checks of their own process; checks
 * elsewhere step back while a person waits.
 */
export function createSharedBudget(options: {
  clock: Clock;
  logger: Logger;
  callsPerSecond: number;
  quota: DayQuota;
  callWindows: CallWindows;
}): Budget {
  const { clock, logger, callsPerSecond, quota } = options;
  const window = options.callWindows({
    name: 'agency',
    calls: callsPerSecond,
    windowMs: WINDOW_MS,
    leaseMs: LONGEST_UNDER_WAY_MS,
  });
  const waiting: Record<CallSource, Waiter[]> = { user: [], monitor: [] };
  const stopping = new AbortController();
  /** Until then there is no place for anybody, as far as the store has said. */
  let noneBeforeMs = 0;
  let serving = false;
  // A store that knows nothing yet has everybody wait: that begins now and not with the first person.
  window.take(0, { urgent: false }).catch(() => undefined);

  const nextLine = () => (waiting.user.length > 0 ? waiting.user : waiting.monitor);

  async function serveInTurn(): Promise<void> {
    serving = true;
    for (;;) {
      const line = nextLine();
      if (line.length === 0) {
        // In the same step as the last look at the lines: a newcomer either is seen here or starts anew.
        serving = false;
        return;
      }
      const wanted = Math.min(line.length, callsPerSecond);
      const askedMs = clock.nowMs();
      const { places, waitMs } = await window.take(wanted, { urgent: line === waiting.user });
      for (const place of places) {
        if (clock.nowMs() - askedMs > STALE_MS) window.giveBack(place);
        else await use(place);
      }
      if (places.length === wanted) continue;
      const now = clock.nowMs();
      noneBeforeMs = now + waitMs;
      if (refuseWhoWouldWait(waitMs, now)) continue;
      await clock.sleep(waitMs, stopping.signal);
    }
  }

  /** Spends a call of the day on whoever is first in line; a place that nobody can use is given back. */
  async function use(place: string): Promise<void> {
    const line = nextLine();
    const first = line[0];
    if (!first) return window.giveBack(place);
    try {
      await quota.spend(first.source);
      first.grant({ done: once(() => window.end(place)) });
    } catch (refusal) {
      window.giveBack(place);
      first.refuse(refusal);
    }
    // Only now, so that newcomers saw it before them meanwhile.
    line.splice(line.indexOf(first), 1);
  }

  /** Whether anybody was. Not before `waitMs` there is a place, and then not for everybody at once. */
  function refuseWhoWouldWait(waitMs: number, now: number): boolean {
    let refused = false;
    let before = 0;
    for (const source of ['user', 'monitor'] as const) {
      const staying: Waiter[] = [];
      for (const waiter of waiting[source]) {
        const turnInMs = waitMs + Math.floor(before / callsPerSecond) * WINDOW_MS;
        if (now + turnInMs > waiter.deadlineMs) {
          waiter.refuse(busy(turnInMs));
          refused = true;
        } else {
          staying.push(waiter);
          before += 1;
        }
      }
      waiting[source] = staying;
    }
    return refused;
  }

  function refuseAll(reason: unknown): void {
    for (const line of [waiting.user, waiting.monitor]) {
      for (const waiter of line.splice(0)) waiter.refuse(reason);
    }
  }

  function serve(): void {
    if (serving) return;
    serveInTurn().catch((reason: unknown) => {
      serving = false;
      if (stopping.signal.aborted) return refuseAll(stopping.signal.reason);
      logger.warn({ err: reason }, 'no calls to the agency: their budget can not be counted');
      refuseAll(busy(AWAY_RETRY_MS));
    });
  }

  return {
    take(source, withinMs) {
      const ahead = waiting.user.length + (source === 'monitor' ? waiting.monitor.length : 0);
      const now = clock.nowMs();
      const turnInMs = Math.max(0, noneBeforeMs - now) + Math.floor(ahead / callsPerSecond) * WINDOW_MS;
      if (turnInMs > withinMs || stopping.signal.aborted) return Promise.reject(busy(turnInMs));
      return new Promise((grant, refuse) => {
        waiting[source].push({ source, deadlineMs: now + withinMs, grant, refuse });
        serve();
      });
    },
    pause: (ms) => window.pause(ms),
    async stop() {
      stopping.abort(busy(1_000));
      if (!serving) refuseAll(stopping.signal.reason);
      await quota.stop();
    },
  };
}

function busy(retryAfterMs: number): BudgetRefusal {
  return new BudgetRefusal('busy', Math.max(0, retryAfterMs));
}

function once(act: () => void): () => void {
  let acted = false;
  return () => {
    if (acted) return;
    acted = true;
    act();
  };
}
