import { hash } from 'node:crypto';
import type { AgencyCase, CaseFacts } from './agency.ts';
import { parseAgencyDate } from './agency-date.ts';

/** One status that a case was in, as it is stored. */
export interface HistoryRow {
  receiptNumber: string;
  status: string;
  statusEs: string | null;
  /** ISO 8601; orders the history and distinguishes two stays in one status. */
  statusAt: string;
  statusDate: string | null;
}

export interface SnapshotRow extends CaseFacts {
  receiptNumber: string;
  /** When the call was sent: it orders observations, whenever their answers come. */
  observedAt: string;
  /** Since when, if this status is new; a status that merely continues keeps the start it has in the store. */
  statusAt: string;
  statusDate: string | null;
  /** Of everything that the agency said: with the same hash all rows but their times are stored already. */
  factsHash: string;
}

/** Everything that one answer of the agency writes; many of them can be written in one statement. */
export interface ObservationRows {
  snapshot: SnapshotRow;
  /** Made when it is needed: most answers say what is stored already. */
  history(): HistoryRow[];
}

/** Returns what the answer to a call that was sent at `observedAtMs` puts into the store. Pure: the same answer gives the same rows. */
export function toObservationRows(answer: AgencyCase, observedAtMs: number): ObservationRows {
  const { receiptNumber, history, ...facts } = answer;
  const { modifiedDate } = facts;
  const modifiedMs = modifiedDate === null ? undefined : parseAgencyDate(modifiedDate);
  return {
    snapshot: {
      ...facts,
      receiptNumber,
      observedAt: iso(observedAtMs),
      statusAt: iso(modifiedMs ?? observedAtMs),
      statusDate: modifiedDate,
      factsHash: hash('sha1', JSON.stringify(answer), 'base64'),
    },
    history: () => toHistoryRows(receiptNumber, history),
  };
}

/**
 * The agency's history has days only. Within a day a millisecond per entry, counted from the oldest, keeps its order;
 * newer entries that come later don't change it. Entries without a readable date go to the beginning of time.
 */
function toHistoryRows(receiptNumber: string, history: AgencyCase['history']): HistoryRow[] {
  const seen = new Map<number, number>();
  return history.toReversed().map(({ status, statusEs, date }) => {
    const dayMs = (date === null ? undefined : parseAgencyDate(date)) ?? 0;
    const nth = seen.get(dayMs) ?? 0;
    seen.set(dayMs, nth + 1);
    return { receiptNumber, status, statusEs, statusAt: iso(dayMs + nth), statusDate: date };
  });
}

const iso = (ms: number) => new Date(ms).toISOString();
