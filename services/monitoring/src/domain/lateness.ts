import { LATE_CODES, type LateCode, type Watch } from '@casewatch/contracts/monitoring';

/** A due watch may wait this long for its turn before it counts as late. */
const PATIENCE_MS = 60_000;

const REASONS: Record<LateCode, string> = {
  QUEUED: 'Older checks run first.',
  BUDGET_SPENT: 'We have reached today’s limit of checks.',
  AGENCY_BUSY: 'The agency is limiting requests right now. We will keep trying.',
  AGENCY_UNAVAILABLE: 'The agency’s case status service is temporarily unavailable. We will keep trying.',
  AGENCY_REFUSED: 'The agency did not accept this receipt number.',
  RECEIPT_NOT_RECOGNIZED: 'The agency did not recognize this receipt number.',
  UNAVAILABLE: 'Checks are temporarily unavailable. We will keep trying.',
};

/** The agency answered, with no status: there is nothing to wait for. */
const ANSWERED: readonly (string | null)[] = ['AGENCY_REFUSED', 'RECEIPT_NOT_RECOGNIZED'];

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
