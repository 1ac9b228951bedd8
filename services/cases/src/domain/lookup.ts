import type { Tier } from '@casewatch/contracts/limits';
import type { LookupCode, LookupOrigin, LookupOutcome } from '@casewatch/contracts/lookup-outcomes';
import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import type { AgencyCallRecord, AgencyResult, KnownAnswer } from './agency.ts';
import type { FailureKind } from './agency-failure.ts';
import { isTerminal } from './status-phase.ts';

/** On whose behalf the agency is asked, and for which lookup. */
export type Asker = UserAsker | CheckAsker;
export interface CheckAsker {
  source: 'monitor';
  lookup: Lookup;
  /** Undefined where it has no status yet. */
  watch?: WatchFacts | undefined;
  /** The stored answer. */
  known?: KnownAnswer | undefined;
}
export interface UserAsker {
  source: 'user';
  userId: string;
  name: string;
  tier: Tier;
  lookup: Lookup;
}

/** What the watch behind a scheduled check knows. */
export interface WatchFacts {
  readonly status: string;
  readonly terminal: boolean;
  /** Aborts when the result no longer reaches the scheduler: then only an event settles the watch. */
  readonly signal: AbortSignal;
}

/** One lookup of one case for one caller, from its beginning: what the request log says of it. */
export interface Lookup {
  /** A UUID. */
  readonly id: string;
  readonly origin: LookupOrigin;
  /** Of the request that the user made; undefined for scheduled checks. */
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
  readonly startedAtMs: number;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** An older answer is shown where there is no current one. */
  readonly canServeStale?: boolean;
}

/** A lookup that has ended: one row of the request log. */
export interface EndedLookup {
  readonly receiptNumber: string;
  readonly asker: Asker;
  readonly outcome: LookupOutcome;
  /** Why there is no current status. */
  readonly code: LookupCode | undefined;
  /** The calls that it made itself. */
  readonly calls: readonly AgencyCallRecord[];
  readonly queueMs: number;
  readonly agencyMs: number;
  readonly endedAtMs: number;
}

/** Whether an event with this status would tell the watch of a scheduled check nothing. */
export function isKnownToWatch(asker: Asker, status: string): boolean {
  const watch = asker.source === 'monitor' ? asker.watch : undefined;
  return watch?.status === status && watch.terminal === isTerminal(status) && !watch.signal.aborted;
}

/** What came of a lookup, apart from its calls. */
export type Ending = Pick<EndedLookup, 'outcome' | 'code'>;

const FROM_STORE: Ending = { outcome: 'stored', code: undefined };
const NOT_RECOGNIZED: Ending = { outcome: 'not-recognized', code: 'not-recognized' };

/** The ending of a lookup that a stored answer was fresh enough for. */
export function storedEnding(isRecognized: boolean): Ending {
  return isRecognized ? FROM_STORE : NOT_RECOGNIZED;
}

/** The ending of a lookup for which the agency was asked, by itself or (`isShared`) by another. */
export function askedEnding(result: AgencyResult, isShared: boolean): Ending {
  if (result.kind === 'case') return { outcome: isShared ? 'shared' : 'answered', code: undefined };
  if (result.kind === 'not-recognised') return NOT_RECOGNIZED;
  const { kind } = result.failure;
  return { outcome: OUTCOMES[kind] ?? 'fault', code: kind };
}

/** The ending of a lookup that something of our own has kept from an answer. */
export function failedEnding(error: unknown): Ending {
  return { outcome: 'error', code: isUnavailable(error) ? 'dependency-down' : 'internal' };
}

/** All others are the agency's faults. */
const OUTCOMES: Partial<Record<FailureKind, LookupOutcome>> = {
  refused: 'refused',
  'rate-limited': 'quota',
  'quota-spent': 'quota',
  'budget-spent': 'quota',
  'budget-busy': 'quota',
  resting: 'circuit-open',
  'budget-unavailable': 'error',
  credentials: 'error',
};

const NO_CALL = { calls: [], queueMs: 0, agencyMs: 0 };

/** A row of the log. A client that has disconnected got no answer, whatever there was to say. */
export function endLookup(
  receiptNumber: string,
  asker: Asker,
  ending: Ending,
  endedAtMs: number,
  spent: Pick<EndedLookup, 'calls' | 'queueMs' | 'agencyMs'> = NO_CALL,
): EndedLookup {
  const seen: Ending = asker.lookup.signal?.aborted ? { outcome: 'canceled', code: 'disconnected' } : ending;
  return { receiptNumber, asker, ...seen, ...spent, endedAtMs };
}
