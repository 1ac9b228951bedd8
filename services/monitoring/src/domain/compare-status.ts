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
    if (statusObservedAtMs !== null && observedAtMs <= statusObservedAtMs) continue;
    if (lastStatus !== null && lastStatus !== status) {
      const change = { receiptNumber, oldStatus: lastStatus, newStatus: status };
      changes.push({ ...change, changedAtMs: observedAtMs, answerMs });
    }
    newest = observation;
    lastStatus = status;
    statusObservedAtMs = observedAtMs;
  }
  return { newest, changes };
}
