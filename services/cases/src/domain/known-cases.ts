import type { CaseStatusResult } from '@casewatch/contracts/cases';
import type { Freshness } from './agency-queue.ts';
import type { CaseStore } from './case-store.ts';
import { toCaseStatusResult } from './stored-case.ts';

/** What the store knows of a case, ready to be answered. */
export interface Known {
  /** Null where the agency never gave a status. */
  readonly result: CaseStatusResult | null;
  /** The last answer was "not recognized". */
  readonly isDenied: boolean;
  /** What the agency said with it. */
  readonly agencyMessage?: string | undefined;
  readonly isFresh: boolean;
}

/** Reads a case from the store; undefined where the agency has never answered about it. */
export type ReadKnown = (receiptNumber: string) => Promise<Known | undefined>;

/** Each lookup reads the store: what a process remembered could be older than what another one has stored and notified. */
export function createReadKnown(store: CaseStore, { freshMs, notRecognizedMs }: Freshness): ReadKnown {
  return async (receiptNumber) => {
    const stored = await store.find(receiptNumber);
    if (!stored) return undefined;
    const { ageMs, answer } = stored;
    const isDenied = stored.notRecognizedAtMs !== null;
    return {
      result: answer && toCaseStatusResult(receiptNumber, answer),
      isDenied,
      agencyMessage: stored.notRecognizedMessage ?? undefined,
      isFresh: ageMs >= 0 && ageMs < (isDenied ? notRecognizedMs : freshMs),
    };
  };
}
