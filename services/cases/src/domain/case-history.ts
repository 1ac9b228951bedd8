import type { CaseStatusResult } from '@casewatch/contracts/cases';

/** One stored status of a case. */
export interface Observation {
  status: string;
  /** The agency's own Spanish, where it gave one and it was read. */
  statusEs?: string | null;
  statusAtMs: number;
  statusDate: string | null;
  source: 'agency-history' | 'observed';
  firstObservedAtMs: number;
  lastObservedAtMs: number;
}

type HistoryEntry = CaseStatusResult['histCaseData'][number];

/**
 * The agency's history and our own observations as one list, newest first. Where both list the same stay in a
 * status (next to each other in time), the agency's entry stands, with the time of our first observation.
 */
export function mergeHistory(observations: readonly Observation[]): HistoryEntry[] {
  const ordered = observations.toSorted(
    (a, b) => b.statusAtMs - a.statusAtMs || b.lastObservedAtMs - a.lastObservedAtMs,
  );
  const merged: Stay[] = [];
  for (const entry of ordered.map(toStay)) {
    const newer = merged.at(-1);
    if (newer && tellsTheSame(newer, entry)) merged[merged.length - 1] = mergeStays(newer, entry);
    else merged.push(entry);
  }
  return merged.map(({ status, statusEs, statusDate, source, observedAtMs }) => ({
    caseStatus: status,
    statusHistDate: statusDate,
    source: source === 'observed' ? 'observed' : 'agency',
    firstObservedAt: observedAtMs === null ? null : new Date(observedAtMs).toISOString(),
    textEs: statusEs ?? undefined,
  }));
}

interface Stay extends Observation {
  /** Null where only the agency's history lists it. */
  observedAtMs: number | null;
}

function toStay(entry: Observation): Stay {
  return { ...entry, observedAtMs: entry.source === 'observed' ? entry.firstObservedAtMs : null };
}

function tellsTheSame(a: Observation, b: Observation): boolean {
  return a.status === b.status && (a.source === 'observed' || b.source === 'observed');
}

/** Of two observations of our own the older one dates the beginning of the stay. */
function mergeStays(newer: Stay, older: Stay): Stay {
  const kept = newer.source === 'agency-history' ? newer : older;
  const seen = [newer.observedAtMs, older.observedAtMs].filter((atMs) => atMs !== null);
  const statusEs = newer.statusEs ?? older.statusEs ?? null;
  return { ...kept, statusEs, observedAtMs: seen.length > 0 ? Math.min(...seen) : null };
}
