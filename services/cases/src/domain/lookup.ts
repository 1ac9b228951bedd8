import type { DemonstratedCase } from '@casewatch/contracts/agency-demonstration';
import type { Tier } from '@casewatch/contracts/limits';
import type { LookupCode, LookupOrigin, LookupOutcome } from '@casewatch/contracts/lookup-outcomes';
import type { Fault } from '@casewatch/contracts/route-contract';
import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import type { AgencyCallRecord } from './agency.ts';
import type { AgencyFailure, FailureKind } from './agency-failure.ts';

/** On whose behalf the agency is asked, and for which lookup. */
export type Requester = UserRequester | CheckRequester;
export interface CheckRequester {
  source: 'monitor';
  lookup: Lookup;
}
export interface UserRequester {
  source: 'user';
  userId: string;
  name: string;
  tier: Tier;
  lookup: Lookup;
  /** Set where an administrator demonstrates a call: it is made for no one else, and shares none. */
  demonstration?: WantedDemonstration;
}

export interface WantedDemonstration {
  readonly case: DemonstratedCase;
  /** What is sent, well-formed or not. */
  readonly receiptNumber: string;
}

export const demonstrationOf = (requester: Requester): WantedDemonstration | undefined =>
  requester.source === 'user' ? requester.demonstration : undefined;

/** Returns whose turns a lookup takes: the user's, or those of all scheduled checks (empty). */
export const participantOf = (requester: Requester): string =>
  requester.source === 'user' ? requester.userId : '';

/** One lookup of one case for one caller, from its beginning: what the request log says of it. */
export interface Lookup {
  /** A UUID. */
  readonly id: string;
  readonly origin: LookupOrigin;
  /** Of the request that the user made; undefined for scheduled checks. */
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
  /** W3C trace context of the request: the call belongs to its trace, whichever process makes it. */
  readonly traceparent?: string | undefined;
  readonly startedAtMs: number;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the agency was waited for: a late answer is its fault, or that of the quota. */
  readonly blame?: ((fault: Fault) => void) | undefined;
  /** An older answer is shown where there is no current one. */
  readonly canServeStale?: boolean;
}

/** A lookup that has ended: one row of the request log. */
export interface EndedLookup extends Spent {
  readonly receiptNumber: string;
  readonly requester: Requester;
  readonly outcome: LookupOutcome;
  /** Why there is no current status. */
  readonly code: LookupCode | undefined;
  readonly endedAtMs: number;
}

/** What a lookup cost. */
export interface Spent {
  /** The calls that it made itself. */
  readonly calls: readonly AgencyCallRecord[];
  readonly queueMs: number;
  readonly agencyMs: number;
}

/** What came of a lookup, apart from its calls. */
export type Ending = Pick<EndedLookup, 'outcome' | 'code'>;

const NOT_RECOGNIZED: Ending = { outcome: 'not-recognized', code: 'not-recognized' };

/** Returns the ending of a lookup that a stored answer was fresh enough for. */
export function storedEnding(isRecognized: boolean): Ending {
  return isRecognized ? { outcome: 'stored', code: undefined } : NOT_RECOGNIZED;
}

/** Returns the ending of a lookup for which the agency was asked, by itself or (`isShared`) by another. */
export function askedEnding(result: Asked, isShared: boolean): Ending {
  if (result.kind === 'not-recognized') return NOT_RECOGNIZED;
  if (result.kind !== 'failure') return { outcome: isShared ? 'shared' : 'answered', code: undefined };
  const { kind } = result.failure;
  return { outcome: OUTCOMES[kind] ?? 'fault', code: kind };
}

/** As much of a result as its ending depends on. */
type Asked =
  | { readonly kind: 'case' | 'not-recognized' }
  | { readonly kind: 'failure'; readonly failure: Pick<AgencyFailure, 'kind'> };

/** Returns the ending of a lookup that something of our own has kept from an answer. */
export function failedEnding(error: unknown): Ending {
  return { outcome: 'error', code: isUnavailable(error) ? 'dependency-down' : 'internal' };
}

/** All others are failures of the agency. */
const OUTCOMES: Partial<Record<FailureKind, LookupOutcome>> = {
  refused: 'refused',
  'rate-limited': 'quota',
  'quota-spent': 'quota',
  'budget-spent': 'quota',
  'budget-busy': 'quota',
  resting: 'circuit-open',
  'no-caller': 'error',
  credentials: 'error',
};

/** The ending of a lookup whose client has disconnected. */
export const CANCELED: Ending = { outcome: 'canceled', code: 'disconnected' };

const NO_CALL: Spent = { calls: [], queueMs: 0, agencyMs: 0 };

/** Returns a row of the log. A client that has disconnected got no answer, whatever there was to say. */
export function endLookup(
  receiptNumber: string,
  requester: Requester,
  ending: Ending,
  endedAtMs: number,
  spent: Spent = NO_CALL,
): EndedLookup {
  const seen: Ending = requester.lookup.signal?.aborted ? CANCELED : ending;
  return { receiptNumber, requester, ...seen, ...spent, endedAtMs };
}
