import type { PayloadOf } from '@casewatch/contracts/event-type';
import { agencyCalled, caseObserved, caseWatchChanged } from '@casewatch/contracts/events';
import type { AgencyCallRecord, CallSource } from '../domain/agency.ts';
import type { Asker } from '../domain/case-store.ts';
import type { SnapshotRow } from '../domain/observation-rows.ts';
import { isTerminal } from '../domain/status-phase.ts';

/** Every event type that this service publishes. */
export const publishes = [caseWatchChanged, caseObserved, agencyCalled] as const;

export function toAgencyCalled(call: AgencyCallRecord, asker: Asker): PayloadOf<typeof agencyCalled> {
  return {
    callId: call.callId,
    endpoint: call.endpoint,
    receiptNumbers: [call.receiptNumber],
    ...(asker.source === 'user' ? { userId: asker.userId, userFirstName: firstNameOf(asker.name) } : {}),
    source: asker.source,
    ...(call.statusCode === undefined ? {} : { statusCode: call.statusCode }),
    success: call.success,
    requestPayload: JSON.stringify({ receiptNumber: call.receiptNumber }),
    responsePayload: call.responsePayload,
    durationMs: call.durationMs,
    calledAt: new Date(call.calledAtMs).toISOString(),
  };
}

export function toCaseObserved(row: SnapshotRow, source: CallSource): PayloadOf<typeof caseObserved> {
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
  };
}

/** The identity token carries the whole name. */
function firstNameOf(name: string): string {
  return name.split(' ')[0] ?? name;
}
