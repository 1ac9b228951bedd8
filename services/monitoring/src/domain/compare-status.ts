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
 * Compares what was known, if anything was, with the observations of one case, in the order in which they came. One that is
 * not newer than what is known says nothing; of two with the same time the first counts until the next one. The first status
 * known is a beginning, not a change.
 */
export function compareStatus<Seen extends SeenStatus & { readonly receiptNumber: string }>(
  known: SeenStatus | undefined,
  observations: readonly Seen[],
): Comparison<Seen> {
  let last = known;
  let newest: Seen | undefined;
  const changes: StatusChange[] = [];
  for (const observation of observations) {
    if (last && observation.observedAtMs <= last.observedAtMs) continue;
    if (last && observation.status !== last.status) changes.push(changeOf(last, observation));
    newest = observation;
    last = observation;
  }
  return { newest, changes };
}

function changeOf(last: SeenStatus, next: SeenStatus & { readonly receiptNumber: string }): StatusChange {
  return {
    receiptNumber: next.receiptNumber,
    oldStatus: last.status,
    newStatus: next.status,
    oldObservedAtMs: last.observedAtMs,
    changedAtMs: next.observedAtMs,
    answerMs: next.answerMs,
  };
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
  known: SeenStatus | undefined,
  observations: readonly (SeenStatus & { readonly receiptNumber: string })[],
  watchers: readonly Watcher[],
): WatcherChange[] {
  return watchers.flatMap(({ userId, sinceMs, seen }) =>
    compareStatus(newerOf(known, seen), observations)
      .changes.filter(({ changedAtMs }) => changedAtMs >= sinceMs)
      .map((change) => ({ ...change, userId })),
  );
}

function newerOf(known: SeenStatus | undefined, seen: SeenStatus | undefined): SeenStatus | undefined {
  return known && seen && seen.observedAtMs > known.observedAtMs ? seen : known;
}
