import type { AgencyCase, AnsweredCall, CaseFacts } from './agency.ts';
import { parseAgencyDate } from './agency.ts';
import type { AnsweredStatuses } from './record-answer.ts';

export interface SnapshotRow extends CaseFacts {
  receiptNumber: string;
  /** When the call was sent, to be shown. */
  observedAt: string;
  /** Since when, if this status is new; a status that merely continues keeps the start it has in the store. */
  statusAt: string;
  statusDate: string | null;
  /** Orders observations, whenever their answers come. */
  callNumber: string;
  /** How long ago the call was sent. */
  agoMs: number;
}

/** Everything that one answer of the agency writes. */
export interface ObservationRows {
  readonly snapshot: SnapshotRow;
  /** What it says about the statuses of the case, but since when it has the current one: that the store knows. */
  readonly statuses: Omit<AnsweredStatuses, 'statusAtMs' | 'statusDate'>;
}

/**
 * Returns what the answer to a call puts into the store. Pure: the same answer gives the same rows.
 * @throws when the answer is about another case
 */
export function toObservationRows(
  { receiptNumber, history, isWholeHistory, ...facts }: AgencyCase,
  call: AnsweredCall,
): ObservationRows {
  if (receiptNumber !== call.receiptNumber)
    throw new Error('an answer is about another case than was asked for');
  const { status, statusEs, modifiedDate } = facts;
  const modifiedMs = modifiedDate === null ? undefined : parseAgencyDate(modifiedDate);
  return {
    snapshot: {
      ...facts,
      receiptNumber,
      observedAt: iso(call.sentMs),
      statusAt: iso(modifiedMs ?? call.sentMs),
      statusDate: modifiedDate,
      callNumber: call.callNumber,
      agoMs: call.agoMs,
    },
    statuses: { status, statusEs, history, isWholeHistory, observedAtMs: call.sentMs },
  };
}

const iso = (ms: number) => new Date(ms).toISOString();
