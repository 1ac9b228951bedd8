/** What a watch knows of its case's status. */
export interface KnownStatus {
  readonly lastStatus: string | null;
  /** When that was observed; null as long as nothing was. */
  readonly statusObservedAtMs: number | null;
}

export interface SeenStatus {
  readonly status: string;
  /** When the agency was asked, which orders observations, whenever their answers come. */
  readonly observedAtMs: number;
  /** How long the answer took from then on, if it is known. */
  readonly answerMs?: number | undefined;
}

/** What the agency said about a watched case. */
export interface Observation extends SeenStatus {
  readonly receiptNumber: string;
  /** Nothing is expected to follow this status. */
  readonly terminal: boolean;
}

export interface StatusChange {
  readonly receiptNumber: string;
  readonly oldStatus: string;
  readonly newStatus: string;
  /** When the old status was last observed. */
  readonly oldObservedAtMs: number;
  /** When the agency was asked that answered with the new status. */
  readonly changedAtMs: number;
  /** How long that answer took, if it is known. */
  readonly answerMs?: number | undefined;
}

export interface Comparison<Seen extends SeenStatus> {
  /** The observation to record; undefined when all are older than what is known. */
  readonly newest: Seen | undefined;
  /** In order of time. */
  readonly changes: readonly StatusChange[];
}

/**
 * Compares what was known with the observations of one case, in the order in which they came. One that is not
 * newer than what is known says nothing; of two with the same time the first counts until the next one. The first status
 * known is a beginning, not a change.
 */
export function compareStatus<Seen extends SeenStatus & { readonly receiptNumber: string }>(
  known: KnownStatus,
  observations: readonly Seen[],
): Comparison<Seen> {
  let { lastStatus, statusObservedAtMs } = known;
  let newest: Seen | undefined;
  const changes: StatusChange[] = [];
  for (const observation of observations) {
    const { receiptNumber, status, observedAtMs, answerMs } = observation;
    if (lastStatus !== null && statusObservedAtMs !== null) {
      if (observedAtMs <= statusObservedAtMs) continue;
      const change = { receiptNumber, oldStatus: lastStatus, newStatus: status, answerMs };
      if (lastStatus !== status)
        changes.push({ ...change, oldObservedAtMs: statusObservedAtMs, changedAtMs: observedAtMs });
    }
    newest = observation;
    lastStatus = status;
    statusObservedAtMs = observedAtMs;
  }
  return { newest, changes };
}

/** A user who watches a case. */
export interface Watcher {
  readonly userId: string;
  /** The user has seen nothing that was observed from then on. */
  readonly sinceMs: number;
  /** A status that the user has seen. Where it is newer than what the watch knows, the user's changes lead from it. */
  readonly seen: SeenStatus | undefined;
}

export interface WatcherChange extends StatusChange {
  readonly userId: string;
}

/** Returns what changes for each of the watchers with these observations: nothing that the watcher has seen. */
export function changesOfWatchers(
  known: KnownStatus,
  observations: readonly (SeenStatus & { readonly receiptNumber: string })[],
  watchers: readonly Watcher[],
): WatcherChange[] {
  return watchers.flatMap(({ userId, sinceMs, seen }) =>
    compareStatus(newerOf(known, seen), observations)
      .changes.filter(({ changedAtMs }) => changedAtMs >= sinceMs)
      .map((change) => ({ ...change, userId })),
  );
}

function newerOf(known: KnownStatus, seen: SeenStatus | undefined): KnownStatus {
  if (!seen || known.statusObservedAtMs === null || seen.observedAtMs <= known.statusObservedAtMs)
    return known;
  return { lastStatus: seen.status, statusObservedAtMs: seen.observedAtMs };
}
