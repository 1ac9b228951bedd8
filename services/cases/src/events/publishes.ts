import { randomUUID } from 'node:crypto';
import type { PayloadOf } from '@casewatch/contracts/event-type';
import {
  agencyCalled,
  agencyCallsRecorded,
  caseObserved,
  caseWatchChanged,
  savedCasesChanged,
} from '@casewatch/contracts/events';
import { isSuccess, type LookupOutcome } from '@casewatch/contracts/lookup-outcomes';
import type { CallSource, LoggedAnswer } from '../domain/agency.ts';
import type { EndedLookup } from '../domain/lookup.ts';
import type { SnapshotRow } from '../domain/observation-rows.ts';
import { isTerminal } from '../domain/status-phase.ts';

/** Every event type that this service publishes. */
export const publishes = [
  caseWatchChanged,
  savedCasesChanged,
  caseObserved,
  agencyCalled,
  agencyCallsRecorded,
] as const;

/** With every character escaped, an event stays below the megabyte that a broker takes. */
const BATCH = { calls: 100, characters: 100_000 };

/** Returns rows of the request log as few events. */
export function toAgencyCallsRecorded(
  ended: readonly EndedLookup[],
): PayloadOf<typeof agencyCallsRecorded>[] {
  const batches: PayloadOf<typeof agencyCallsRecorded>[] = [];
  let left = { calls: 0, characters: 0 };
  for (const call of ended.map(toAgencyCalled)) {
    const characters = charactersOf(call);
    if (left.calls === 0 || left.characters < characters) {
      batches.push({ batchId: randomUUID(), calls: [] });
      left = { ...BATCH };
    }
    batches.at(-1)?.calls.push(call);
    left = { calls: left.calls - 1, characters: left.characters - characters };
  }
  return batches;
}

/** Of the texts that may be long. */
function charactersOf({ requestPayload, responsePayload, earlierCalls }: PayloadOf<typeof agencyCalled>) {
  const earlier = earlierCalls.reduce((sum, call) => sum + call.responsePayload.length, 0);
  return requestPayload.length + responsePayload.length + earlier;
}

/** Returns a row of the request log. `earlierCalls` lists the calls before the last one. */
export function toAgencyCalled(ended: EndedLookup): PayloadOf<typeof agencyCalled> {
  const { asker, receiptNumber, outcome, code, calls, endedAtMs } = ended;
  const { lookup } = asker;
  const last = calls.at(-1);
  const totalMs = Math.max(0, Math.round(endedAtMs - lookup.startedAtMs));
  return {
    callId: lookup.id,
    endpoint: `GET /case-status/${receiptNumber}`,
    receiptNumbers: [receiptNumber],
    ...(asker.source === 'user' ? { userId: asker.userId, userFirstName: asker.name, tier: asker.tier } : {}),
    source: asker.source,
    ...(last?.statusCode === undefined ? {} : { statusCode: last.statusCode }),
    success: isSuccess(outcome),
    requestPayload: JSON.stringify({ receiptNumber }),
    responsePayload: last?.responsePayload ?? '',
    durationMs: totalMs,
    calledAt: new Date(endedAtMs - totalMs).toISOString(),
    outcome,
    ...(code === undefined ? {} : { code }),
    queueMs: Math.round(ended.queueMs),
    agencyMs: Math.round(ended.agencyMs),
    agencyCalls: calls.length,
    ...(lookup.requestId ? { requestId: lookup.requestId } : {}),
    ...(lookup.traceId === undefined ? {} : { traceId: lookup.traceId }),
    origin: lookup.origin,
    ...(last?.sameAs ? { sameAnswer: toSameAnswer(last.sameAs) } : {}),
    servedStale: lookup.canServeStale === true && !isSuccess(outcome) && !NEVER_STALE.includes(outcome),
    earlierCalls: calls.slice(0, -1).map(({ statusCode, code: why, durationMs, responsePayload }) => ({
      ...(statusCode === undefined ? {} : { statusCode }),
      code: why ?? '',
      durationMs,
      responsePayload,
    })),
  };
}

function toSameAnswer({ callId, endedAtMs }: LoggedAnswer) {
  return { callId, endedAt: new Date(endedAtMs).toISOString() };
}

/** Outcomes after which no stored status is shown. */
const NEVER_STALE: readonly LookupOutcome[] = ['not-recognized', 'refused', 'canceled', 'error'];

/** What the event of an observed case takes from its stored row: the latest status, with its dates as the agency gives them. */
export type ObservedFacts = Pick<
  SnapshotRow,
  'receiptNumber' | 'status' | 'description' | 'formType' | 'submittedDate' | 'modifiedDate' | 'observedAt'
>;

/** `answerMs` is not stored: undefined where an observation is published again. */
export function toCaseObserved(
  row: ObservedFacts,
  source: CallSource,
  answerMs?: number,
): PayloadOf<typeof caseObserved> {
  return {
    receiptNumber: row.receiptNumber,
    status: row.status,
    description: row.description,
    formType: row.formType,
    ...(row.submittedDate === null ? {} : { submittedDate: row.submittedDate }),
    ...(row.modifiedDate === null ? {} : { modifiedDate: row.modifiedDate }),
    observedAt: row.observedAt,
    source,
    terminal: isTerminal(row.status),
    answerMs,
  };
}
