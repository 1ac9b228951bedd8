import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { LRUCache } from 'lru-cache';
import type { CaseStore } from './case-store.ts';
import { type StoredCase, toCaseStatusResult } from './stored-case.ts';

/** What the store knew of a case when it was last read, ready to be answered. */
export interface Known {
  /** Both are when the agency was asked: an answer is as old as its call. */
  notRecognisedAtMs: number | null;
  observedAtMs: number;
  result: CaseStatusResult | null;
}

/**
 * The cases that were looked up in this process. Other processes may have stored newer answers, which is why none is
 * used beyond its freshness.
 */
export interface KnownCases {
  /** From memory. */
  remembered(receiptNumber: string): Known | undefined;
  /** From the store, and remembered. */
  read(receiptNumber: string): Promise<Known | undefined>;
  /** Something newer is stored. */
  forget(receiptNumber: string): void;
}

const REMEMBERED = 20_000;

export function createKnownCases(store: CaseStore): KnownCases {
  const remembered = new LRUCache<string, Known>({ max: REMEMBERED });
  return {
    remembered: (receiptNumber) => remembered.get(receiptNumber),
    async read(receiptNumber) {
      const stored = await store.find(receiptNumber);
      if (!stored) return undefined;
      const known = toKnown(stored);
      remembered.set(receiptNumber, known);
      return known;
    },
    forget: (receiptNumber) => remembered.delete(receiptNumber),
  };
}

function toKnown({ receiptNumber, notRecognisedAtMs, answer }: StoredCase): Known {
  return {
    notRecognisedAtMs,
    observedAtMs: answer?.observedAtMs ?? 0,
    result: answer && toCaseStatusResult(receiptNumber, answer),
  };
}
