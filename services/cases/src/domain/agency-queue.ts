import type { AgencyExchange } from '@casewatch/contracts/agency-demonstration';
import type { Tier } from '@casewatch/contracts/limits';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { AgencyFailure } from './agency-failure.ts';
import type { Requester, Spent } from './lookup.ts';

/** The exchanges of a demonstration; a part that was not sent is absent. Holds no secret. */
export interface DemonstratedCall {
  readonly token?: AgencyExchange;
  readonly status?: AgencyExchange;
  /** What was read of a case. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** What came of waiting for the agency; its answer is stored by then. */
export type Outcome = (
  | { readonly kind: 'case' }
  | { readonly kind: 'not-recognized'; readonly agencyMessage?: string | undefined }
  /** No call was made: the store had a fresh answer when the turn came. */
  | { readonly kind: 'stored' }
  | { readonly kind: 'failure'; readonly failure: AgencyFailure }
  /** A part of the product is broken or unavailable: its error. */
  | { readonly kind: 'broken'; readonly message: string; readonly code?: string | undefined }
) & {
  /** The lookup's row of the request log was stored with the answer. */
  readonly isLogged?: boolean;
  /** What was done on its turn, where that is in no row yet. */
  readonly spent?: Spent;
  /** Of a demonstration: what was sent and came back. */
  readonly demonstrated?: DemonstratedCall;
};

export function toBroken(error: unknown): Extract<Outcome, { kind: 'broken' }> {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return { kind: 'broken', message, code };
}

/** Returns the error again, with what says whether a dependency is unavailable. */
export function toError({ message, code }: Extract<Outcome, { kind: 'broken' }>): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

/** The queue as a process sees it whose lookups wait there. */
export interface AgencyQueue {
  join(lookups: readonly Joining[]): Promise<void>;
  /**
   * Takes out which of these have ended: with an outcome, or without one where no turn came in time, or where `answerMs` after that
   * nothing has come of it.
   */
  take(answerMs: number, lookupIds: readonly string[]): Promise<Taken[]>;
  /** Returns which of these have joined and are in the queue no more: their user was deleted, or the table was emptied. */
  lost(lookupIds: readonly string[]): Promise<string[]>;
  /** Takes out a lookup whose client has disconnected. Resolves to false where the call is made on its turn. */
  leave(lookupId: string): Promise<boolean>;
  /** Takes out lookups that have failed, whatever is done for them. */
  abandon(lookupIds: readonly string[]): Promise<void>;
  state(): Promise<QueueState>;
}

export interface Joining {
  readonly receiptNumber: string;
  readonly requester: Requester;
  /** How long it waits for a turn. */
  readonly waitMs: number;
}

export interface Taken {
  readonly lookupId: string;
  readonly outcome: Outcome | null;
  /** A call was made for it, or was about to be. */
  readonly hadTurn: boolean;
  /** False where no process was there to call: none has read it, or the one that did has exited. */
  readonly isCalled: boolean;
}

/** What may be waited for, of all processes. */
export interface QueueState {
  /** What other processes have waiting for a turn. */
  readonly waiting: readonly Waiting[];
  /** Until the caller may call: it pauses after "too many requests". */
  readonly pausedMs: number;
  /** Until the agency's day ends, where it answered that the quota of this one is spent. */
  readonly quotaSpentMs: number;
  /** False while no process calls: there is no caller, or one that has not read what joined more than a second ago. */
  readonly isCalled: boolean;
}

/** Lookups of one user, or all scheduled checks. */
export interface Waiting {
  readonly userId: string | null;
  readonly tier: Tier | null;
  readonly waiting: number;
}

/** The queue as the caller sees it. For one that another process has taken over from, there is nothing to claim or to begin. */
export interface CallerQueue {
  /** Returns lookups that still wait and that this caller has not seen yet, in the order in which they came; `isFirst` also those of callers before. */
  claim(epoch: number, isFirst: boolean): Promise<QueuedLookup[]>;
  /** A call is about to be made on the turn of this lookup, for everyone who waits for the same case. */
  begin(epoch: number, lookup: QueuedLookup, fresh: Freshness): Promise<Begun>;
  /** No call was made: those who wait for this case may time out again. */
  undo(epoch: number, receiptNumber: string): Promise<void>;
  /** Ends lookups that still wait. Resolves to these, and whether their client has disconnected. */
  end(ends: readonly End[], tx?: SqlExecutor): Promise<ReadonlyMap<string, boolean>>;
  /** Removes what exited processes have left. */
  sweep(): Promise<void>;
}

export interface QueuedLookup {
  readonly id: string;
  readonly receiptNumber: string;
  readonly requester: Requester;
  /** Since it joined. */
  readonly waitedMs: number;
  /** Until its wait for a turn is over. */
  readonly leftMs: number;
}

/** An answer younger than this is not asked for again by people. */
export interface Freshness {
  readonly freshMs: number;
  readonly notRecognizedMs: number;
}

export interface Begun {
  /** False where the lookup has left, or the caller was overtaken: then nothing has begun. */
  readonly waits: boolean;
  /** Only people wait. */
  readonly people: boolean;
  /** The store has an answer that is fresh enough for people. */
  readonly fresh: boolean;
}

export interface End {
  readonly receiptNumber: string;
  /** Null: everyone who waits for the case. */
  readonly lookupIds: readonly string[] | null;
  readonly outcome: Outcome;
  /** Of the caller to whom this happened: it does not concern lookups that a later one serves. Absent for an answer. */
  readonly epoch?: number;
  /** The lookup on whose turn the calls were made, and what only its outcome says. */
  readonly own?: { readonly lookupId: string } & Pick<Outcome, 'isLogged' | 'spent'>;
}
