import { createOneSecondWindow, type OneSecondWindow } from './call-limits.ts';

export interface CallFigures {
  total: number;
  /** The most calls that came within any one second, refused ones included. */
  maxInAnySecond: number;
}

/** Counts every call of the status endpoint as it arrives, whatever becomes of it. */
export interface CallCounter {
  record(receiptNumber: string, atMs: number): void;
  figures(receiptNumber?: string): CallFigures;
  reset(): void;
}

interface Count extends CallFigures {
  window: OneSecondWindow;
}

/** Receipt numbers counted one by one; beyond that, those first seen longest ago are forgotten (never the grand total). */
export const RECEIPTS_COUNTED = 100_000;

export function createCallCounter(maxReceipts = RECEIPTS_COUNTED): CallCounter {
  let all = newCount();
  const byReceipt = new Map<string, Count>();

  return {
    record: (receiptNumber, atMs) => {
      bump(all, atMs);
      let own = byReceipt.get(receiptNumber);
      if (!own) {
        own = newCount();
        byReceipt.set(receiptNumber, own);
        if (byReceipt.size > maxReceipts) {
          const oldest = byReceipt.keys().next().value;
          if (oldest !== undefined) byReceipt.delete(oldest);
        }
      }
      bump(own, atMs);
    },
    figures: (receiptNumber) => {
      const count = receiptNumber === undefined ? all : byReceipt.get(receiptNumber);
      return { total: count?.total ?? 0, maxInAnySecond: count?.maxInAnySecond ?? 0 };
    },
    reset: () => {
      all = newCount();
      byReceipt.clear();
    },
  };
}

function newCount(): Count {
  return { total: 0, maxInAnySecond: 0, window: createOneSecondWindow() };
}

function bump(count: Count, atMs: number): void {
  count.total += 1;
  count.maxInAnySecond = Math.max(count.maxInAnySecond, count.window.add(atMs));
}
