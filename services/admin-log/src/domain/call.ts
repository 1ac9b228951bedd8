import type { PayloadOf } from '@casewatch/contracts/event-type';
import type { agencyCalled } from '@casewatch/contracts/events';

/** One call of the agency as the log keeps it. */
export interface Call {
  readonly id: string;
  /** When it ended: the calls then come in about the order of this time, however long each took. */
  readonly createdAtMs: number;
  readonly endpoint: string;
  readonly receiptNumbers: readonly string[];
  readonly userId: string | null;
  readonly userFirstName: string | null;
  readonly source: 'user' | 'monitor';
  /** Null when no answer came. */
  readonly statusCode: number | null;
  readonly success: boolean;
  readonly durationMs: number;
  /** JSON. */
  readonly requestPayload: unknown;
  readonly responsePayload: string;
}

/** The publisher cuts, too; here it is a bound on what one event can make the log store. */
const LONGEST = { endpoint: 300, name: 100, request: 10_000, response: 10_000 };
const MOST_RECEIPT_NUMBERS = 100;

/** The event as a call; a request that is no JSON is kept as a text. */
export function toCall(event: PayloadOf<typeof agencyCalled>): Call {
  const durationMs = Math.max(0, event.durationMs);
  return {
    id: event.callId,
    createdAtMs: Date.parse(event.calledAt) + durationMs,
    endpoint: cut(event.endpoint, LONGEST.endpoint),
    receiptNumbers: [...new Set(event.receiptNumbers)].slice(0, MOST_RECEIPT_NUMBERS),
    userId: event.userId ?? null,
    userFirstName: event.userFirstName === undefined ? null : cut(event.userFirstName, LONGEST.name),
    source: event.source,
    statusCode: event.statusCode ?? null,
    success: event.success,
    durationMs,
    requestPayload: parsed(event.requestPayload),
    responsePayload: cut(event.responsePayload, LONGEST.response),
  };
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
