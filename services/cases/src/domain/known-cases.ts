import type { CaseStatusResult } from '@casewatch/contracts/cases';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { LRUCache } from 'lru-cache';
import type { Freshness } from './agency-queue.ts';
import type { CaseStore } from './case-store.ts';
import { type StoredCase, toCaseStatusResult } from './stored-case.ts';

/** What the store knew of a case when it was last read, ready to be answered. */
export interface Known {
  /** Null where the agency never gave a status. */
  readonly result: CaseStatusResult | null;
  /** The last answer was "not recognized". */
  readonly isDenied: boolean;
  readonly isFresh: boolean;
}

/** The cases that were looked up in this process, for as long as they are fresh; the caller of another one may have stored newer answers. */
export interface KnownCases {
  /** From memory. */
  remembered(receiptNumber: string): Known | undefined;
  /** From the store, and remembered. */
  read(receiptNumber: string): Promise<Known | undefined>;
}

export interface RememberedCases extends KnownCases {
  /** An answer was stored by this process. */
  forget(receiptNumber: string): void;
}

const REMEMBERED = 20_000;

export function createKnownCases(
  store: CaseStore,
  clock: Pick<Clock, 'databaseNowMs'>,
  { freshMs, notRecognisedMs }: Freshness,
): RememberedCases {
  const now = clock.databaseNowMs ?? (() => performance.now());
  const remembered = new LRUCache<string, Known>({ max: REMEMBERED, perf: { now }, ttlResolution: 0 });
  let forgotten = 0;
  return {
    remembered: (receiptNumber) => remembered.get(receiptNumber),
    forget(receiptNumber) {
      forgotten += 1;
      remembered.delete(receiptNumber);
    },
    async read(receiptNumber) {
      const before = forgotten;
      const stored = await store.find(receiptNumber);
      if (!stored) return undefined;
      const freshForMs = (stored.notRecognisedAtMs === null ? freshMs : notRecognisedMs) - stored.ageMs;
      const known = toKnown(stored, stored.ageMs >= 0 && freshForMs > 0);
      // One whose time is over exactly now is still there.
      const ttl = Math.floor(freshForMs) - 1;
      // What is stored meanwhile may be newer than what was read.
      if (known.isFresh && ttl > 0 && forgotten === before) remembered.set(receiptNumber, known, { ttl });
      else remembered.delete(receiptNumber);
      return known;
    },
  };
}

function toKnown({ receiptNumber, notRecognisedAtMs, answer }: StoredCase, isFresh: boolean): Known {
  const isDenied = notRecognisedAtMs !== null;
  return { result: answer && toCaseStatusResult(receiptNumber, answer), isDenied, isFresh };
}
