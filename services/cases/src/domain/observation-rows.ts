import type { AgencyCase, CaseAnswer, CaseFacts, LoggedAnswer } from './agency.ts';
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
  factsHash: string;
  answerHash: string;
  /** The row of the request log that has the answer's text; both null for a user's lookup. */
  answerCallId: string | null;
  answerLoggedAt: string | null;
}

/** Everything that one answer of the agency writes; many of them can be written in one statement. */
export interface ObservationRows extends Pick<SnapshotRow, 'receiptNumber' | 'status' | 'observedAt'> {
  /** With the same hash all rows but their times are stored already. */
  factsHash: string;
  /** What recognizes the answer next time; undefined where that is stored, or where a user asked. */
  recognition: AnswerRecognition | undefined;
  /** Made when they are needed: most answers say what is stored already. */
  snapshot(): SnapshotRow;
  history(): HistoryRow[];
}

export type AnswerRecognition = Pick<SnapshotRow, 'answerHash' | 'answerCallId' | 'answerLoggedAt'>;

/**
 * Returns what the answer to a call that was sent at `observedAtMs` puts into the store; `logged` is the row of the request log with its
 * text, of a scheduled check. Pure: the same answer gives the same rows.
 */
export function toObservationRows(
  receiptNumber: string,
  answer: CaseAnswer,
  observedAtMs: number,
  logged: LoggedAnswer | undefined,
): ObservationRows {
  const { status, factsHash, answerHash } = answer;
  const observedAt = iso(observedAtMs);
  const recognition = {
    answerHash,
    answerCallId: logged?.callId ?? null,
    answerLoggedAt: logged ? iso(logged.endedAtMs) : null,
  };
  return {
    receiptNumber,
    status,
    observedAt,
    factsHash,
    recognition: logged && logged !== answer.sameAs ? recognition : undefined,
    snapshot() {
      const { history, ...facts } = answer.facts();
      const { modifiedDate } = facts;
      const modifiedMs = modifiedDate === null ? undefined : parseAgencyDate(modifiedDate);
      return {
        ...facts,
        receiptNumber,
        observedAt,
        statusAt: iso(modifiedMs ?? observedAtMs),
        statusDate: modifiedDate,
        factsHash,
        ...recognition,
      };
    },
    history: () => toHistoryRows(receiptNumber, answer.facts().history),
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
