import type { Tier } from '@casewatch/contracts/limits';
import type { OpenSpan } from '@casewatch/service-kit/telemetry/tracing';
import type { AgencyCallRecord, AgencyResult } from '../domain/agency.ts';
import type { DemonstratedCall, End, QueuedLookup } from '../domain/agency-queue.ts';
import { participantOf } from '../domain/lookup.ts';
import type { Asking } from './breaker.ts';
import { createFairOrder, type Pace } from './fair-order.ts';

/** A lookup as the caller has it. */
export interface Queued extends QueuedLookup {
  readonly claimedAtMs: number;
  /** Of its turn, where the lookup is traced. */
  readonly span?: OpenSpan;
}

/** What the agency answered, or why it did not. */
export interface Answered {
  readonly result: AgencyResult;
  /** On whose turn. */
  readonly payer: Queued;
  readonly sentMs: number;
  /** Its number among the requests of this caller, in the order in which they were sent. */
  readonly request: number;
  /** Undefined where no call was made: there is no token. */
  readonly callNumber: bigint | undefined;
  readonly demonstrated?: DemonstratedCall;
}

/** A case that is waited for, with everyone who waits. */
export interface Wanted {
  readonly receiptNumber: string;
  readonly lookups: Map<string, Queued>;
  /** A call is in flight, or its answer is being stored: none of its lookups waits for a turn. */
  isBusy: boolean;
  attempt: Attempt;
}

export function askingOf({ receiptNumber }: Wanted, { requester }: Queued): Asking {
  return { participant: participantOf(requester), receiptNumber };
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

export type WaitingCases = ReturnType<typeof createWaitingCases>;

/**
 * Creates the cases that are waited for, and the order of those who wait: a case stands there once for each of its lookups, goes at the
 * first turn, and none of its lookups waits for a turn while it is busy.
 */
export function createWaitingCases(options: {
  /** The share of the calls, 0 to 1, that scheduled checks are guaranteed, and by how many calls people may go first. */
  share: number;
  lead: number;
  weights: Readonly<Record<Tier, number>>;
  timeoutMs: number;
}) {
  const { weights, timeoutMs } = options;
  const order = createFairOrder(options);
  const cases = new Map<string, Wanted>();
  const caseOf = new Map<string, Wanted>();

  function waitForTurn({ id, requester, claimedAtMs, waitedMs }: Queued): void {
    const participant = participantOf(requester);
    const weight = requester.source === 'user' ? weights[requester.tier] : 1;
    order.enter({ id, participant, weight, joinedMs: claimedAtMs - waitedMs });
  }

  return {
    enter(lookup: QueuedLookup, claimedAtMs: number): { one: Wanted; queued: Queued } {
      const { id, receiptNumber } = lookup;
      const one = cases.get(receiptNumber) ?? {
        receiptNumber,
        lookups: new Map<string, Queued>(),
        isBusy: false,
        attempt: newAttempt(timeoutMs),
      };
      const queued = { ...lookup, claimedAtMs };
      cases.set(receiptNumber, one);
      one.lookups.set(id, queued);
      caseOf.set(id, one);
      if (!one.isBusy) waitForTurn(queued);
      return { one, queued };
    },
    /** The lookup whose turn it is, with its case, which is busy from now on; none while that is paced and not due. */
    next(pace: Pace): { one: Wanted; payer: Queued } | undefined {
      const id = order.next(pace);
      const one = id === undefined ? undefined : caseOf.get(id);
      const payer = id === undefined ? undefined : one?.lookups.get(id);
      if (!one || !payer) return undefined;
      this.setBusy(one);
      return { one, payer };
    },
    setBusy(one: Wanted): void {
      one.isBusy = true;
      for (const id of one.lookups.keys()) order.leave(id);
    },
    /** Has everyone who still waits for a busy case wait for a turn again. */
    putBack(one: Wanted): void {
      if (!one.isBusy) return;
      one.isBusy = false;
      for (const lookup of one.lookups.values()) waitForTurn(lookup);
      if (one.lookups.size === 0) cases.delete(one.receiptNumber);
    },
    forget(one: Wanted, lookupIds: Iterable<string>): void {
      for (const id of lookupIds) {
        order.leave(id);
        one.lookups.delete(id);
        caseOf.delete(id);
      }
      if (one.lookups.size === 0 && !one.isBusy) cases.delete(one.receiptNumber);
    },
    /** Those that no call is being made for. */
    *idle(): Generator<Wanted> {
      for (const one of cases.values()) if (!one.isBusy) yield one;
    },
    /** Cases that are waited for, and lookups that wait for a turn. */
    size: () => cases.size,
    waiting: () => order.size(),
  };
}
