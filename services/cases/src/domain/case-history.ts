/** One stored status of a case. */
export interface Observation {
  status: string;
  statusAtMs: number;
  statusDate: string | null;
  source: 'agency-history' | 'observed';
  lastObservedAtMs: number;
}

/**
 * The agency's history and our own observations as one list, newest first. Where both tell of the same stay in a
 * status (next to each other in time), the agency's entry stands.
 */
export function mergeHistory(
  observations: readonly Observation[],
): { caseStatus: string; statusHistDate: string | null }[] {
  const ordered = observations.toSorted(
    (a, b) => b.statusAtMs - a.statusAtMs || b.lastObservedAtMs - a.lastObservedAtMs,
  );
  const merged: Observation[] = [];
  for (const entry of ordered) {
    const newer = merged.at(-1);
    if (newer && tellsTheSame(newer, entry)) merged[merged.length - 1] = agencyFirst(newer, entry);
    else merged.push(entry);
  }
  return merged.map(({ status, statusDate }) => ({ caseStatus: status, statusHistDate: statusDate }));
}

function tellsTheSame(a: Observation, b: Observation): boolean {
  return a.status === b.status && (a.source === 'observed' || b.source === 'observed');
}

/** Of two observations of our own the older one tells when the stay began. */
function agencyFirst(newer: Observation, older: Observation): Observation {
  return newer.source === 'agency-history' ? newer : older;
}
