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
  /** By an answer that differed from the one before: the same answer again adds nothing to the history. */
  lastObservedAtMs: number;
}

type HistoryEntry = CaseStatusResult['histCaseData'][number];

/**
 * The agency's history and our own observations as one list, newest first. Where both list the same stay in a
 * status (next to each other in time), the agency's entry stands, with the time of our first observation.
 */
export function mergeHistory(observations: readonly Observation[]): HistoryEntry[] {
  const merged: Stay[] = [];
  for (const entry of inAgencyOrder(observations.toSorted(newestFirst)).map(toStay)) {
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

function newestFirst(a: Observation, b: Observation): number {
  return b.statusAtMs - a.statusAtMs || b.lastObservedAtMs - a.lastObservedAtMs;
}

/**
 * Puts our observations where the agency lists the same stay. Its history has days only, and may name a day before the one
 * on which we first saw the status before it.
 */
function inAgencyOrder(ordered: readonly Observation[]): Observation[] {
  const placed: Observation[] = [];
  for (const entry of ordered.toReversed()) {
    const listed = entry.source === 'observed' ? listedBefore(entry, placed) : undefined;
    const moved = listed ? { ...entry, statusAtMs: listed.statusAtMs } : entry;
    const after = placed.findLastIndex(({ statusAtMs }) => statusAtMs <= moved.statusAtMs);
    placed.splice(after + 1, 0, moved);
  }
  return placed.toReversed();
}

/**
 * The agency's entry of an observed stay, unless another status lies between the two. One that was first seen after the
 * observed stay came after it, whatever its date.
 */
function listedBefore(observed: Observation, older: readonly Observation[]): Observation | undefined {
  const found = older.findLast(
    ({ status, firstObservedAtMs }) =>
      status === observed.status || firstObservedAtMs <= observed.lastObservedAtMs,
  );
  return found?.status === observed.status && found.source === 'agency-history' ? found : undefined;
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
