import { LATE_CODES, type LateCode, type Watch } from '@casewatch/contracts/monitoring';

/** A due watch may wait this long for its turn before it counts as late. */
const PATIENCE_MS = 60_000;

const REASONS: Record<LateCode, string> = {
  QUEUED: 'Checks that are due longer come first.',
  BUDGET_SPENT: 'The checks that the agency allows are used up for now.',
  AGENCY_BUSY: 'The agency is limiting requests right now. We keep trying.',
  AGENCY_UNAVAILABLE: "The agency's case status service is temporarily unavailable. We keep trying.",
  AGENCY_REFUSED: 'The agency refused to look this receipt number up.',
  RECEIPT_NOT_RECOGNISED: 'The agency did not recognize this receipt number.',
  UNAVAILABLE: 'Checks are temporarily unavailable. We keep trying.',
};

/** The agency answered, with no status: there is nothing to wait for. */
const ANSWERED: readonly (string | null)[] = ['AGENCY_REFUSED', 'RECEIPT_NOT_RECOGNISED'];

export interface WatchState {
  readonly nextCheckAtMs: number;
  readonly owedSinceMs: number | null;
  readonly attempts: number;
  readonly lastFailure: string | null;
}

/**
 * Returns why a watch is late or has no status, or null. `queueFailure` is the last failure of the watch at the head of the
 * queue: all behind it wait for the same reason, unless it is an answer about the receipt number of that watch.
 */
export function latenessOf(watch: WatchState, queueFailure: string | null, nowMs: number): Watch['late'] {
  if (watch.attempts > 0 || ANSWERED.includes(watch.lastFailure)) return late(watch.lastFailure);
  const dueAtMs = watch.owedSinceMs ?? watch.nextCheckAtMs;
  if (nowMs - dueAtMs <= PATIENCE_MS) return null;
  return late(watch.lastFailure ?? (ANSWERED.includes(queueFailure) ? null : queueFailure));
}

function late(failure: string | null): Watch['late'] {
  const code = failure === null ? 'QUEUED' : lateCodeOf(failure);
  return { code, reason: REASONS[code] };
}

/** Returns the code of a failed check; an unknown one means that the agency gave no answer. */
export function lateCodeOf(code: string | undefined): LateCode {
  return LATE_CODES.find((known) => known === code) ?? 'AGENCY_UNAVAILABLE';
}
