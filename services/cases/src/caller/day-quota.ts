import type { Tier } from '@casewatch/contracts/limits';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Requester } from '../domain/lookup.ts';
import {
  callsLeft,
  DAY_MS,
  type DayRule,
  fairShare,
  lowWater,
  msUntilCallsLeft,
  msUntilFairShare,
} from './day-shares.ts';

/** Where the calls of a day (`yyyy-MM-dd`, GMT) are counted across callers. */
export interface QuotaLedger {
  read(day: string): Promise<DayCalls>;
  /** Counts one call more, or with -1 one less. */
  add(day: string, requester: Requester, calls: 1 | -1): Promise<void>;
}

export interface DayCalls {
  readonly calls: number;
  /** Of these, those of scheduled checks. */
  readonly monitorCalls: number;
  /** What each user has had. */
  readonly ofUsers: ReadonlyMap<string, number>;
}

export interface DayQuota {
  /** Milliseconds until the day has a call for this requester; 0 where it has one now. */
  msUntilCall(requester: Requester): number;
  /**
   * Counts a call before it is made. Resolves to a function that takes it back where it was not made.
   * @throws what the ledger throws: then no call may be made
   */
  spend(requester: Requester): Promise<() => Promise<void>>;
}

/** Counts in memory, as the only caller; the ledger has each call before it is made, for the next one. */
export async function openDayQuota(
  options: DayRule & {
    clock: Pick<Clock, 'nowMs'>;
    ledger: QuotaLedger;
    weights: Readonly<Record<Tier, number>>;
  },
): Promise<DayQuota> {
  const { clock, ledger, weights } = options;
  const heaviest = Math.max(...Object.values(weights));
  let today = dayOf(clock.nowMs());
  let used = toUsed(await ledger.read(today));

  function count(requester: Requester, calls: 1 | -1): void {
    used.calls += calls;
    if (requester.source === 'monitor') used.monitorCalls += calls;
    else used.ofUsers.set(requester.userId, (used.ofUsers.get(requester.userId) ?? 0) + calls);
  }

  /** At midnight nothing is used: this is the only caller. */
  function turnDay(): void {
    const day = dayOf(clock.nowMs());
    if (day === today) return;
    today = day;
    used = toUsed({ calls: 0, monitorCalls: 0, ofUsers: new Map() });
  }

  return {
    msUntilCall(requester) {
      turnDay();
      const sinceMidnightMs = clock.nowMs() % DAY_MS;
      const left = callsLeft(options, requester.source, used, sinceMidnightMs);
      if (left < 1) return msUntilCallsLeft(options, requester.source, used, sinceMidnightMs);
      if (requester.source === 'monitor' || left > lowWater(options)) return 0;
      const calls = used.ofUsers.get(requester.userId) ?? 0;
      const weight = weights[requester.tier] / heaviest;
      if (calls < fairShare(left, weight, sinceMidnightMs)) return 0;
      return msUntilFairShare(calls, left, weight, sinceMidnightMs);
    },
    async spend(requester) {
      turnDay();
      const day = today;
      count(requester, 1);
      try {
        await ledger.add(day, requester, 1);
      } catch (error) {
        if (day === today) count(requester, -1);
        throw error;
      }
      return async () => {
        if (day === today) count(requester, -1);
        await ledger.add(day, requester, -1);
      };
    },
  };
}

function toUsed({ calls, monitorCalls, ofUsers }: DayCalls) {
  return { calls, monitorCalls, ofUsers: new Map(ofUsers) };
}

/** Returns the agency's day: it changes at midnight GMT. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
