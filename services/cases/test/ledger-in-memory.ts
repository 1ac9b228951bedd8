import type { QuotaLedger } from '../src/agency/day-quota.ts';

/** A ledger that a test can look into; budgets that share it share the day. */
export function ledgerInMemory(): QuotaLedger & { reserved: Map<string, number> } {
  const reserved = new Map<string, number>();
  return {
    reserved,
    reserve: async (day, calls, limit) => {
      const before = reserved.get(day) ?? 0;
      const got = Math.max(0, Math.min(calls, limit - before));
      reserved.set(day, before + got);
      return got;
    },
    giveBack: async (day, calls) => {
      reserved.set(day, (reserved.get(day) ?? 0) - calls);
    },
  };
}
