import type { OpenSpan } from '@casewatch/service-kit/telemetry/tracing';
import type { AgencyCallRecord, AgencyResult } from '../domain/agency.ts';
import type { End, QueuedLookup } from '../domain/agency-queue.ts';

/** A lookup as the caller has it. */
export interface Queued extends QueuedLookup {
  readonly claimedAtMs: number;
  /** Of its turn, where the lookup is traced. */
  readonly span?: OpenSpan;
}

/** What the agency said, or why it said nothing. */
export interface Answered {
  readonly result: AgencyResult;
  /** On whose turn. */
  readonly payer: Queued;
  readonly sentMs: number;
  /** Its number among the requests of this caller, in the order in which they were sent. */
  readonly request: number;
  /** Undefined where no call was made: there is no token. */
  readonly callNumber: bigint | undefined;
}

/** A case that is waited for, with everyone who waits. */
export interface Wanted {
  readonly receiptNumber: string;
  readonly lookups: Map<string, Queued>;
  /** A call is being made, or its answer is being stored: nobody waits for a turn. */
  isBusy: boolean;
  attempt: Attempt;
}

/** What was done for a case so far. */
export interface Attempt {
  readonly calls: AgencyCallRecord[];
  /** On whose turn the last of them was made. */
  payer: Queued | undefined;
  /** Of the time that a lookup waits for the agency. */
  leftMs: number;
  queueMs: number;
  agencyMs: number;
  /** The answer that a second try may better, and until when that waits for a turn. */
  first: Answered | undefined;
  secondUntilMs: number;
  isTokenRefused: boolean;
}

export function newAttempt(timeoutMs: number): Attempt {
  return {
    calls: [],
    payer: undefined,
    leftMs: timeoutMs,
    queueMs: 0,
    agencyMs: 0,
    first: undefined,
    secondUntilMs: 0,
    isTokenRefused: false,
  };
}

/** Whose outcome says which calls were made, where they are stored with no answer. */
export function spentOf({ calls, queueMs, agencyMs, payer }: Attempt): Pick<End, 'own'> {
  if (!payer || calls.length === 0) return {};
  return { own: { lookupId: payer.id, spent: { calls: [...calls], queueMs, agencyMs } } };
}
