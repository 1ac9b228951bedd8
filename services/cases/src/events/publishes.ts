import { randomUUID } from 'node:crypto';
import type { PayloadOf } from '@casewatch/contracts/event-type';
import {
  adminActed,
  caseObserved,
  caseWatchChanged,
  caseWatchesListed,
  lookupsRecorded,
  savedCasesChanged,
} from '@casewatch/contracts/events';
import { isSuccess, type LookupOutcome } from '@casewatch/contracts/lookup-outcomes';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import type { AuditActor } from '@casewatch/service-kit/http/route';
import type { LookUpRecord } from '../domain/case-store.ts';
import type { EndedLookup, WantedDemonstration } from '../domain/lookup.ts';

/** Every event type that this service publishes. */
export const publishes = [
  caseWatchChanged,
  caseWatchesListed,
  savedCasesChanged,
  caseObserved,
  lookupsRecorded,
  adminActed,
] as const;

/** With every character escaped, an event stays below the megabyte that a broker takes. */
const BATCH = { lookups: 500, characters: 100_000 };

type Row = PayloadOf<typeof lookupsRecorded>['lookups'][number];

/** Returns rows of the request log as few events. */
export function toLookupsRecorded(ended: readonly EndedLookup[]): PayloadOf<typeof lookupsRecorded>[] {
  const batches: PayloadOf<typeof lookupsRecorded>[] = [];
  let left = { lookups: 0, characters: 0 };
  for (const row of ended.map(toRow)) {
    const characters = row.calls.reduce((sum, { response }) => sum + response.length, 0);
    if (left.lookups === 0 || left.characters < characters) {
      batches.push({ batchId: randomUUID(), lookups: [] });
      left = { ...BATCH };
    }
    batches.at(-1)?.lookups.push(row);
    left = { lookups: left.lookups - 1, characters: left.characters - characters };
  }
  return batches;
}

function toRow({
  receiptNumber,
  requester,
  outcome,
  code,
  calls,
  queueMs,
  agencyMs,
  endedAtMs,
}: EndedLookup): Row {
  const { lookup } = requester;
  const isStale = !isSuccess(outcome) && !NEVER_STALE.includes(outcome);
  return {
    id: lookup.id,
    receiptNumber,
    source: requester.source,
    origin: lookup.origin,
    ...(requester.source === 'user'
      ? { userId: requester.userId, userFirstName: requester.name, tier: requester.tier }
      : {}),
    ...(lookup.requestId ? { requestId: lookup.requestId } : {}),
    ...(lookup.traceId === undefined ? {} : { traceId: lookup.traceId }),
    endedAt: new Date(endedAtMs).toISOString(),
    durationMs: Math.max(0, Math.round(endedAtMs - lookup.startedAtMs)),
    queueMs: Math.round(queueMs),
    agencyMs: Math.round(agencyMs),
    outcome,
    ...(code === undefined ? {} : { code }),
    servedStale: lookup.canServeStale === true && isStale,
    calls: calls.map(({ statusCode, code: why, durationMs, response }) => ({
      ...(statusCode === undefined ? {} : { statusCode }),
      ...(why === undefined ? {} : { code: why }),
      durationMs,
      response,
    })),
  };
}

/** Outcomes after which no stored status is shown. */
const NEVER_STALE: readonly LookupOutcome[] = ['not-recognized', 'refused', 'canceled', 'error'];

/** Returns the event of an answer; none of a failure. */
export function toCaseObserved({ requester, answer }: LookUpRecord): PayloadOf<typeof caseObserved>[] {
  if (!answer) return [];
  const { call, says } = answer;
  const isObserved = typeof says !== 'string';
  return [
    {
      receiptNumber: call.receiptNumber,
      callNumber: call.callNumber,
      outcome: isObserved ? 'observed' : says,
      ...(isObserved ? { status: says.snapshot.status } : {}),
      observedAt: new Date(call.sentMs).toISOString(),
      source: requester.source,
      answerMs: Math.round(call.agoMs),
    },
  ];
}

/** Builds the audit entry of a demonstration, as it begins. */
export function toDemonstrated(wanted: WantedDemonstration, actor: AuditActor): PayloadOf<typeof adminActed> {
  const details = { case: wanted.case, receiptNumber: maskReceiptNumber(wanted.receiptNumber) };
  return { action: 'agency.demonstrated', subject: 'agency', success: true, ...actor, details };
}
