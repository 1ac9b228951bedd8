import type { Tier } from '@casewatch/contracts/limits';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { LRUCache } from 'lru-cache';
import type { BudgetCaller, CallSource } from '../domain/agency.ts';
import { BudgetRefusal } from './budget-refusal.ts';
import {
  callsLeft,
  DAY_MS,
  type DayRule,
  type DayUse,
  fairShare,
  lowWater,
  msUntilCallsLeft,
  msUntilFairShare,
} from './day-shares.ts';

/** Where the calls reserved on a day are counted, for every process and across restarts. */
export interface QuotaLedger {
  /**
   * Adds what `decide` returns for the counts of a day (`yyyy-MM-dd`): one at a time over all processes. `userCalls` are
   * those of `userId`.
   */
  update(
    day: string,
    userId: string | undefined,
    decide: (used: DayUse & { userCalls: number }) => DayChange,
  ): Promise<void>;
}

/** Calls of either side, which may be negative, and what users have had. */
export interface DayChange {
  readonly user: number;
  readonly monitor: number;
  readonly userCalls: ReadonlyMap<string, number>;
}

export interface DayQuota {
  /** @throws BudgetRefusal when this caller was refused a moment ago and would be again */
  check(caller: BudgetCaller): void;
  /**
   * Spends one call of today, and resolves to the day.
   * @throws BudgetRefusal `spent`, with the time until there is one for this caller
   */
  spend(caller: BudgetCaller): Promise<string>;
  /** The call that was spent of this day was not made. */
  giveBack(caller: BudgetCaller, day: string): void;
  /** Gives back what was reserved and not spent. */
  stop(): Promise<void>;
}

/** Calls are reserved in blocks of this share of the day: a killed process loses no more than one of each kind. */
const BLOCK_SHARE = 1 / 200;
/** How long a refusal is believed without asking the ledger: other processes may have given calls back. */
const REFUSAL_MS = 1_000;
const REFUSALS = 10_000;

export function createDayQuota(
  options: DayRule & { clock: Clock; ledger: QuotaLedger; weights: Readonly<Record<Tier, number>> },
): DayQuota {
  const { clock, ledger, weights } = options;
  const block = Math.max(1, Math.floor(options.callsPerDay * BLOCK_SHARE));
  const heaviest = Math.max(...Object.values(weights));
  const reserved: Record<CallSource, number> = { user: 0, monitor: 0 };
  const refusals = new LRUCache<string, { atMs: number; retryAtMs: number }>({ max: REFUSALS });
  /** What users have had of the reserved calls, until the ledger is updated. */
  let spent = new Map<string, number>();
  let today = '';
  let spending: Promise<unknown> = Promise.resolve();

  const keyOf = (caller: BudgetCaller) => (caller.source === 'user' ? caller.userId : '');

  function count(caller: BudgetCaller): void {
    if (caller.source === 'user') spent.set(caller.userId, (spent.get(caller.userId) ?? 0) + 1);
  }

  async function spendOne(caller: BudgetCaller): Promise<string> {
    const now = clock.nowMs();
    const day = dayOf(now);
    if (day !== today) {
      today = day;
      spent = new Map();
      reserved.user = 0;
      reserved.monitor = 0;
    }
    if (reserved[caller.source] === 0) await reserve(caller, now);
    reserved[caller.source] -= 1;
    count(caller);
    return day;
  }

  async function reserve(caller: BudgetCaller, now: number): Promise<void> {
    let granted = 0;
    let retryAfterMs = 0;
    const reported = spent;
    await ledger.update(today, caller.source === 'user' ? caller.userId : undefined, (used) => {
      ({ granted, retryAfterMs } = decide(caller, used, now % DAY_MS));
      return { user: 0, monitor: 0, [caller.source]: granted, userCalls: reported };
    });
    spent = new Map();
    // Meanwhile a call may have been given back.
    reserved[caller.source] += granted;
    if (reserved[caller.source] > 0) return;
    refusals.set(keyOf(caller), { atMs: now, retryAtMs: now + retryAfterMs });
    throw new BudgetRefusal('spent', retryAfterMs);
  }

  function decide(caller: BudgetCaller, used: DayUse & { userCalls: number }, sinceMidnightMs: number) {
    const left = callsLeft(options, caller.source, used, sinceMidnightMs);
    if (left < 1) {
      return { granted: 0, retryAfterMs: msUntilCallsLeft(options, caller.source, used, sinceMidnightMs) };
    }
    if (caller.source === 'monitor') return { granted: Math.min(block, left), retryAfterMs: 0 };
    const plenty = left - lowWater(options);
    if (plenty >= 1) return { granted: Math.min(block, plenty), retryAfterMs: 0 };
    const calls = used.userCalls + (spent.get(caller.userId) ?? 0);
    const weight = weights[caller.tier] / heaviest;
    if (calls < fairShare(left, weight, sinceMidnightMs)) return { granted: 1, retryAfterMs: 0 };
    return { granted: 0, retryAfterMs: msUntilFairShare(calls, left, weight, sinceMidnightMs) };
  }

  return {
    check(caller) {
      const now = clock.nowMs();
      const refusal = refusals.get(keyOf(caller));
      if (!refusal || now < refusal.atMs || now >= Math.min(refusal.atMs + REFUSAL_MS, refusal.retryAtMs))
        return;
      throw new BudgetRefusal('spent', refusal.retryAtMs - now);
    },
    spend(caller) {
      const one = spending.then(() => spendOne(caller));
      spending = one.catch(() => undefined);
      return one;
    },
    giveBack(caller, day) {
      // What was spent before midnight is of no use after it.
      if (day !== today) return;
      reserved[caller.source] += 1;
      const calls = spent.get(keyOf(caller)) ?? 0;
      if (calls > 0) spent.set(keyOf(caller), calls - 1);
    },
    async stop() {
      await spending;
      const { user, monitor } = reserved;
      reserved.user = 0;
      reserved.monitor = 0;
      if (user === 0 && monitor === 0 && spent.size === 0) return;
      const reported = spent;
      spent = new Map();
      await ledger.update(today, undefined, () => ({ user: -user, monitor: -monitor, userCalls: reported }));
    },
  };
}

/** The agency's day: it changes at midnight GMT. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
