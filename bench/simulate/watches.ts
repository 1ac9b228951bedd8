import { mostPutOff, nextCheckMs, nextTryMs } from '@casewatch/monitoring/domain/check-times';
import type { ClaimStore } from '@casewatch/monitoring/domain/store';
import { createCalendar } from './calendar.ts';

export const PERIODS = [1, 7, 30] as const;
export const DAY_MS = 86_400_000;

export interface Ages {
  readonly periodDays: number;
  readonly watches: number;
  /** Days since the last check: median, 95th percentile and oldest. */
  readonly p50: number;
  readonly p95: number;
  readonly most: number;
}

export interface SimulatedWatches {
  readonly store: ClaimStore;
  ages(nowMs: number): Ages[];
  /** Watches that have been due for so long. */
  late(nowMs: number, byMs: number): number;
}

/** Watches in memory with the rules of the database: a receipt number is the watch's place. Nothing dies, so that no lease runs out. */
export function createWatches(options: {
  count: number;
  /** The share of the watches with each of `PERIODS`. */
  shares: readonly [number, number, number];
  startMs: number;
  endMs: number;
  /** How long a due watch has waited for its check so far, in a steady state. */
  waitMs: number;
  random: () => number;
  /** The simulated time. */
  now: () => number;
}): SimulatedWatches {
  const { count, shares, startMs, endMs, waitMs, random, now } = options;
  const next = new Int32Array(count);
  const due = createCalendar(next, startMs, endMs);
  const putOff = createCalendar(next, startMs, endMs);
  const periods = new Uint8Array(count);
  const attempts = new Uint8Array(count);
  const checkedAtMs = new Float64Array(count);
  const owedSinceMs = new Float64Array(count);

  for (let watch = 0; watch < count; watch++) {
    const place = random();
    periods[watch] = place < shares[0] ? 1 : place < shares[0] + shares[1] ? 7 : 30;
    const cycleMs = nextCheckMs(0, termsOf(watch)) + waitMs;
    checkedAtMs[watch] = startMs - random() * cycleMs;
    due.add(watch, dueMs(watch));
  }

  function termsOf(watch: number) {
    return { periodDays: periods[watch] ?? 1, spot: spotOf(watch) };
  }

  function dueMs(watch: number): number {
    return nextCheckMs(checkedAtMs[watch] ?? 0, termsOf(watch));
  }

  function take(from: typeof due, nowMs: number, limit: number, receiptNumbers: string[]): void {
    for (let taken = 0; taken < limit; taken++) {
      const watch = from.takeDue(nowMs);
      if (watch === undefined) return;
      if (from === due) owedSinceMs[watch] = dueMs(watch);
      receiptNumbers.push(String(watch));
    }
  }

  return {
    store: {
      async claim({ leaseMs, limit }) {
        const nowMs = now();
        const receiptNumbers: string[] = [];
        take(putOff, nowMs, mostPutOff(limit), receiptNumbers);
        take(due, nowMs, limit - receiptNumbers.length, receiptNumbers);
        return { leaseUntilMs: nowMs + leaseMs, receiptNumbers };
      },
      async finish(_claim, receiptNumbers) {
        const nowMs = now();
        for (const watch of receiptNumbers.map(Number)) {
          checkedAtMs[watch] = nowMs;
          attempts[watch] = 0;
          due.add(watch, dueMs(watch));
        }
      },
      async postpone(_claim, receiptNumbers) {
        const nowMs = now();
        for (const watch of receiptNumbers.map(Number)) {
          putOff.add(watch, nextTryMs(nowMs, attempts[watch] ?? 0));
          attempts[watch] = Math.min(255, (attempts[watch] ?? 0) + 1);
        }
      },
      // The simulated agency denies nothing.
      deny: async () => undefined,
      async release(_claim, receiptNumbers) {
        // Due as before: the one owed longest is first again.
        for (const watch of receiptNumbers.map(Number).reverse())
          due.add(watch, owedSinceMs[watch] ?? 0, true);
      },
    },
    ages: (nowMs) =>
      PERIODS.map((periodDays) => {
        const days: number[] = [];
        for (let watch = 0; watch < count; watch++)
          if (periods[watch] === periodDays) days.push((nowMs - (checkedAtMs[watch] ?? 0)) / DAY_MS);
        const sorted = Float64Array.from(days).sort();
        const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
        return { periodDays, watches: sorted.length, p50: at(0.5), p95: at(0.95), most: at(1) };
      }),
    late: (nowMs, byMs) => due.dueAt(nowMs - byMs) + putOff.dueAt(nowMs - byMs),
  };
}

/** Takes the place of the receipt number's hash, evenly spread. */
function spotOf(watch: number): number {
  return (Math.imul(watch ^ (watch >>> 15), 0x2c1b3c6d) & 1_023) / 1_024;
}
