import { EventFormatError, type PayloadOf } from '@casewatch/contracts/event-type';
import { CHECK_SOURCES, type lookupsRecorded } from '@casewatch/contracts/events';
import {
  causeOf,
  isLookupOutcome,
  isSuccess,
  type LookupCause,
  type LookupOutcome,
} from '@casewatch/contracts/lookup-outcomes';
import { storableText } from '@casewatch/service-kit/database/storable-json';

/** One lookup as the log keeps it. */
export interface Call {
  readonly id: string;
  /** When it ended: the calls then come in about the order of this time, however long each took. */
  readonly createdAtMs: number;
  readonly receiptNumber: string;
  readonly userId: string | null;
  readonly userFirstName: string | null;
  readonly source: (typeof CHECK_SOURCES)[number];
  /** Of the last call; null when no answer came, or no call was made. */
  readonly statusCode: number | null;
  readonly success: boolean;
  readonly durationMs: number;
  readonly queueMs: number;
  readonly agencyMs: number;
  readonly agencyCalls: number;
  readonly outcome: LookupOutcome;
  readonly cause: LookupCause | null;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly traceId: string | null;
  readonly tier: string | null;
  readonly origin: string;
  readonly servedStale: boolean;
  /** What came back from the last call; null without one. */
  readonly payload: string | null;
  /** The calls before the last one; null when there was none. */
  readonly earlierCalls: readonly EarlierCall[] | null;
}

export interface EarlierCall {
  readonly statusCode: number | null;
  readonly code: string;
  readonly durationMs: number;
  readonly payload: string;
}

/** A lookup as an event has it. */
export type PublishedLookup = PayloadOf<typeof lookupsRecorded>['lookups'][number];
type PublishedCall = PublishedLookup['calls'][number];

/** The publisher cuts, too; here it is a bound on what one event can make the log store. */
const MAX_LENGTH = { receiptNumber: 50, name: 100, payload: 10_000, word: 50 };
const MAX_EARLIER_CALLS = 5;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TRACE_ID = /^[0-9a-f]{32}$/i;

/**
 * Returns the lookup of an event.
 * @throws EventFormatError where its source or outcome is not known, or its time is missing
 */
export function toCall(lookup: PublishedLookup): Call {
  const outcome = outcomeOf(lookup);
  const { requestId = '', traceId = '', userFirstName, code, tier, calls } = lookup;
  const last = calls.at(-1);
  const earlier = calls.slice(0, -1).slice(0, MAX_EARLIER_CALLS);
  return {
    id: lookup.id,
    createdAtMs: timeOf(lookup),
    receiptNumber: cut(lookup.receiptNumber, MAX_LENGTH.receiptNumber),
    userId: lookup.userId ?? null,
    userFirstName: userFirstName === undefined ? null : cut(userFirstName, MAX_LENGTH.name),
    source: sourceOf(lookup),
    statusCode: last?.statusCode ?? null,
    success: isSuccess(outcome),
    durationMs: Math.max(0, lookup.durationMs),
    queueMs: Math.max(0, lookup.queueMs),
    agencyMs: Math.max(0, lookup.agencyMs),
    agencyCalls: Math.min(calls.length, 100),
    outcome,
    cause: causeOf(outcome),
    code: code === undefined ? null : cut(code, MAX_LENGTH.word),
    requestId: UUID.test(requestId) ? requestId : null,
    traceId: TRACE_ID.test(traceId) ? traceId.toLowerCase() : null,
    tier: tier === undefined ? null : cut(tier, MAX_LENGTH.word),
    origin: cut(lookup.origin, MAX_LENGTH.word),
    servedStale: lookup.servedStale,
    payload: last ? payloadOf(last) : null,
    earlierCalls: earlier.length === 0 ? null : earlier.map(earlierCall),
  };
}

function timeOf({ endedAt }: PublishedLookup): number {
  const timeMs = Date.parse(endedAt);
  if (Number.isNaN(timeMs)) throw new EventFormatError('endedAt is missing');
  return timeMs;
}

function sourceOf({ source }: PublishedLookup): Call['source'] {
  const known = CHECK_SOURCES.find((one) => one === source);
  if (!known) throw new EventFormatError(`source is not one of ${CHECK_SOURCES.join(', ')}`);
  return known;
}

function outcomeOf({ outcome }: PublishedLookup): LookupOutcome {
  if (!isLookupOutcome(outcome)) throw new EventFormatError('outcome is not one that is known');
  return outcome;
}

function earlierCall(call: PublishedCall): EarlierCall {
  return {
    statusCode: call.statusCode ?? null,
    code: cut(call.code ?? '', MAX_LENGTH.word),
    durationMs: Math.max(0, call.durationMs),
    payload: payloadOf(call),
  };
}

/** As PostgreSQL stores it: its hash is one of the stored text. */
function payloadOf({ response }: PublishedCall): string {
  return storableText(cut(response, MAX_LENGTH.payload));
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…`.toWellFormed() : text;
}
