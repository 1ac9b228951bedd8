import type { Tier } from '@casewatch/contracts/limits';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import {
  type CallLease,
  type CallQueue,
  CallRefusal,
  type Participant,
} from '@casewatch/shared-state/call-queues/call-queue';
import type { BudgetCaller } from '../domain/agency.ts';
import type { BudgetMetrics } from './budget-metrics.ts';
import { BudgetRefusal } from './budget-refusal.ts';
import type { DayQuota } from './day-quota.ts';

/**
 * What the agency allows: so many calls in any one-second window, as they arrive there, and so many a day (GMT), shared
 * fairly by all callers in all replicas. When the budget can't be read, no call is made.
 */
export interface Budget {
  /**
   * Resolves when one call may be sent, at once: nothing slow may come in between. It is then counted, unless it is
   * released.
   * @throws BudgetRefusal at `withinMs`, as soon as the wait is certain to be longer, or when the day has no call for
   * this caller; the signal's reason on abort
   */
  take(caller: BudgetCaller, withinMs: number, signal?: AbortSignal): Promise<CallLease>;
  /** The agency said "too many": no call is granted for so long. A shorter pause does not shorten a longer one. */
  pause(ms: number): void;
  /** Refuses what waits and gives back what was reserved and not used. */
  stop(): Promise<void>;
}

/** The calls of the second from a fair queue, those of the day from the quota. */
export function createBudget(options: {
  clock: Clock;
  queue: CallQueue;
  quota: DayQuota;
  /** Calls of one user in a round of the queue, and their share of a day that runs low. */
  weights: Readonly<Record<Tier, number>>;
  metrics: BudgetMetrics;
}): Budget {
  const { clock, queue, quota, weights, metrics } = options;

  const participantOf = (caller: BudgetCaller): Participant =>
    caller.source === 'monitor'
      ? { kind: 'scheduled' }
      : { kind: 'user', id: caller.userId, weight: weights[caller.tier] };

  async function inTurn(caller: BudgetCaller, withinMs: number, signal?: AbortSignal): Promise<CallLease> {
    const startedMs = clock.nowMs();
    try {
      const lease = await queue.take(participantOf(caller), withinMs, signal);
      metrics.waited(caller.source, Math.max(0, clock.nowMs() - startedMs));
      return lease;
    } catch (error) {
      throw error instanceof CallRefusal ? new BudgetRefusal(error.reason, error.retryAfterMs) : error;
    }
  }

  async function take(caller: BudgetCaller, withinMs: number, signal?: AbortSignal): Promise<CallLease> {
    // A caller that the day has refused a moment ago takes no turn from others.
    quota.check(caller);
    const lease = await inTurn(caller, withinMs, signal);
    try {
      const day = await quota.spend(caller);
      return {
        ...lease,
        release: () => {
          lease.release();
          quota.giveBack(caller, day);
        },
      };
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  return {
    async take(caller, withinMs, signal) {
      try {
        return await take(caller, withinMs, signal);
      } catch (error) {
        if (error instanceof BudgetRefusal) metrics.refused(error.reason);
        throw error;
      }
    },
    pause: (ms) => queue.pause(ms),
    async stop() {
      queue.stop();
      await quota.stop();
    },
  };
}
