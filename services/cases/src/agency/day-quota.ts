import type { Clock } from '@casewatch/platform/runtime/clock';
import { BudgetRefusal, type CallSource } from './budget.ts';

/** Where the calls reserved on a day are counted, so that a restart does not start the day anew. */
export interface QuotaLedger {
  /**
   * Reserves up to `calls` on a day (`yyyy-MM-dd`), never passing `limit` in all; resolves to how many it got.
   */
  reserve(day: string, calls: number, limit: number): Promise<number>;
  giveBack(day: string, calls: number): Promise<void>;
}

export interface DayQuota {
  /** Spends one call of today. One caller at a time. @throws BudgetRefusal `spent` until midnight GMT */
  spend(source: CallSource): Promise<void>;
  /** Gives back what was reserved and not spent. */
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Of the day's calls, the share that scheduled checks leave to people who wait at the screen. */
const KEPT_FOR_PEOPLE = 0.1;
/** Calls are reserved in blocks of this share of the day: a killed process loses no more than one. */
const BLOCK_SHARE = 1 / 200;

export function createDayQuota(options: {
  clock: Clock;
  callsPerDay: number;
  ledger: QuotaLedger;
}): DayQuota {
  const { clock, callsPerDay, ledger } = options;
  const block = Math.max(1, Math.floor(callsPerDay * BLOCK_SHARE));
  const limits = { user: callsPerDay, monitor: callsPerDay - Math.ceil(callsPerDay * KEPT_FOR_PEOPLE) };
  const reserved = { user: { day: '', left: 0 }, monitor: { day: '', left: 0 } };

  return {
    async spend(source) {
      const now = clock.nowMs();
      const today = dayOf(now);
      const own = reserved[source];
      if (own.day !== today || own.left === 0) {
        own.left = await ledger.reserve(today, block, limits[source]);
        own.day = today;
      }
      if (own.left === 0) throw new BudgetRefusal('spent', DAY_MS - (now % DAY_MS));
      own.left -= 1;
    },
    async stop() {
      for (const own of Object.values(reserved)) {
        const { day, left } = own;
        own.left = 0;
        if (left > 0) await ledger.giveBack(day, left);
      }
    },
  };
}

/** The agency's day: it changes at midnight GMT. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
