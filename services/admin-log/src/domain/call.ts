import { EventFormatError, type PayloadOf } from '@casewatch/contracts/event-type';
import { type agencyCallsRecorded, CHECK_SOURCES } from '@casewatch/contracts/events';
import {
  causeOf,
  isLookupOutcome,
  type LookupCause,
  type LookupOutcome,
} from '@casewatch/contracts/lookup-outcomes';
import { answersOf } from './retention.ts';

/** One lookup as the log keeps it. */
export interface Call {
  readonly id: string;
  /** When it ended: the calls then come in about the order of this time, however long each took. */
  readonly createdAtMs: number;
  readonly endpoint: string;
  readonly receiptNumbers: readonly string[];
  readonly userId: string | null;
  readonly userFirstName: string | null;
  readonly source: (typeof CHECK_SOURCES)[number];
  /** Null when no answer came. */
  readonly statusCode: number | null;
  readonly success: boolean;
  readonly durationMs: number;
  /** JSON. */
  readonly requestPayload: unknown;
  readonly responsePayload: string;
  readonly outcome: LookupOutcome;
  readonly cause: LookupCause | null;
  readonly code: string | null;
  readonly queueMs: number | null;
  readonly agencyMs: number | null;
  readonly agencyCalls: number;
  readonly requestId: string | null;
  readonly traceId: string | null;
  readonly tier: string | null;
  readonly origin: string | null;
  readonly servedStale: boolean;
  /** The calls before the last one; null when there was none. */
  readonly earlierCalls: readonly EarlierCall[] | null;
  /** The call that has the same answer; null where this one has its own. */
  readonly sameAnswer: { readonly callId: string; readonly endedAtMs: number } | null;
}

export interface EarlierCall {
  readonly statusCode: number | null;
  readonly code: string;
  readonly durationMs: number;
  readonly responsePayload: string;
}

/** A call as an event has it, its own or one of several calls. */
export type PublishedCall = PayloadOf<typeof agencyCallsRecorded>['calls'][number];

/** The publisher cuts, too; here it is a bound on what one event can make the log store. */
const LONGEST = { endpoint: 300, name: 100, request: 10_000, response: 10_000, word: 50 };
const MOST_RECEIPT_NUMBERS = 100;
const MOST_EARLIER_CALLS = 5;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TRACE_ID = /^[0-9a-f]{32}$/i;

/**
 * The event as a lookup; a request that is no JSON is kept as a text. Events of older publishers are about one call and
 * name no outcome: it follows from the status.
 * @throws EventFormatError where its source is not known, or its time is missing
 */
export function toCall(event: PublishedCall): Call {
  const durationMs = Math.max(0, event.durationMs);
  const outcome = outcomeOf(event);
  const { requestId = '', traceId = '' } = event;
  return {
    id: event.callId,
    createdAtMs: timeOf(event) + durationMs,
    endpoint: cut(event.endpoint, LONGEST.endpoint),
    receiptNumbers: [...new Set(event.receiptNumbers)].slice(0, MOST_RECEIPT_NUMBERS),
    userId: event.userId ?? null,
    userFirstName: event.userFirstName === undefined ? null : cut(event.userFirstName, LONGEST.name),
    source: sourceOf(event),
    statusCode: event.statusCode ?? null,
    success: event.success,
    durationMs,
    requestPayload: parsed(event.requestPayload),
    responsePayload: cut(event.responsePayload, LONGEST.response),
    outcome,
    cause: causeOf(outcome),
    code: event.code === undefined ? null : cut(event.code, LONGEST.word),
    queueMs: event.queueMs ?? null,
    agencyMs: event.agencyMs ?? null,
    agencyCalls: Math.min(Math.max(0, event.agencyCalls ?? 1), 100),
    requestId: UUID.test(requestId) ? requestId : null,
    traceId: TRACE_ID.test(traceId) ? traceId.toLowerCase() : null,
    tier: event.tier === undefined ? null : cut(event.tier, LONGEST.word),
    origin: event.origin === undefined ? null : cut(event.origin, LONGEST.word),
    servedStale: event.servedStale ?? false,
    earlierCalls:
      event.earlierCalls.length === 0
        ? null
        : event.earlierCalls.slice(0, MOST_EARLIER_CALLS).map(earlierCall),
    sameAnswer: sameAnswerOf(event),
  };
}

/** Null for one whose payload would not be looked for. */
function sameAnswerOf(event: PublishedCall): Call['sameAnswer'] {
  if (event.sameAnswer === undefined) return null;
  const { callId, endedAt } = event.sameAnswer;
  const endedAtMs = Date.parse(endedAt);
  const endsAtMs = timeOf(event) + Math.max(0, event.durationMs);
  const [from, to] = answersOf(endsAtMs, endsAtMs);
  const isWithin = endedAtMs >= from.getTime() && endedAtMs <= to.getTime();
  return UUID.test(callId) && isWithin ? { callId, endedAtMs } : null;
}

function timeOf({ calledAt }: PublishedCall): number {
  const timeMs = Date.parse(calledAt);
  if (Number.isNaN(timeMs)) throw new EventFormatError('calledAt is missing');
  return timeMs;
}

function sourceOf({ source }: PublishedCall): Call['source'] {
  const known = CHECK_SOURCES.find((one) => one === source);
  if (!known) throw new EventFormatError(`source is not one of ${CHECK_SOURCES.join(', ')}`);
  return known;
}

function earlierCall(call: PublishedCall['earlierCalls'][number]): EarlierCall {
  return {
    statusCode: call.statusCode ?? null,
    code: cut(call.code, LONGEST.word),
    durationMs: Math.max(0, call.durationMs),
    responsePayload: cut(call.responsePayload, LONGEST.response),
  };
}

function outcomeOf({ outcome, success, statusCode }: PublishedCall): LookupOutcome {
  if (outcome !== undefined && isLookupOutcome(outcome)) return outcome;
  return impliedOutcome(success, statusCode ?? null);
}

/** What came of a call of which nothing else is known. */
export function impliedOutcome(success: boolean, statusCode: number | null): LookupOutcome {
  if (success) return 'answered';
  if (statusCode === 404) return 'not-recognized';
  if (statusCode === 422) return 'refused';
  return statusCode === 429 ? 'quota' : 'fault';
}

function parsed(text: string): unknown {
  if (text.length > LONGEST.request) return cut(text, LONGEST.request);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…`.toWellFormed() : text;
}
