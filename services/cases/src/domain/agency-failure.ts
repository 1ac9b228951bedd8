import type { ErrorCode } from '@casewatch/contracts/route-contract';
import { AppError } from '@casewatch/service-kit/errors/app-error';

/** Why the agency gave no answer about a case. `refused`: it won't look this receipt number up (422); asking again gives the same. */
export type FailureKind = 'refused' | keyof typeof FAILURES;

export interface AgencyFailure {
  readonly kind: FailureKind;
  /** The agency's own words as plain text, where it gave some. */
  readonly agencyMessage?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** No connection came about, so that the request had no part in it. */
  readonly isUnconnected?: boolean | undefined;
  /** For the log: what exactly happened. Holds no secret and no receipt number. */
  readonly detail?: string | undefined;
}

interface FailureFacts {
  readonly code?: ErrorCode;
  /** Used when the failure itself does not say when to come back. */
  readonly retryAfterSeconds: number;
}

/** The code of each failure, `AGENCY_UNAVAILABLE` where none is named; its text is `agency-<failure>`. */
const FAILURES = {
  /** Too many calls, by its own count (429). */
  'rate-limited': { code: 'AGENCY_BUSY', retryAfterSeconds: 1 },
  'quota-spent': { code: 'BUDGET_SPENT', retryAfterSeconds: 3_600 },
  /** It says so (503). */
  unavailable: { retryAfterSeconds: 60 },
  /** A web page instead of an answer. */
  maintenance: { retryAfterSeconds: 60 },
  /** An error that it documents nowhere. */
  unexpected: { retryAfterSeconds: 60 },
  timeout: { retryAfterSeconds: 30 },
  /** No connection, or it broke. */
  unreachable: { retryAfterSeconds: 30 },
  /** An answer, but not one about this case in the agreed form. */
  unreadable: { retryAfterSeconds: 30 },
  credentials: { retryAfterSeconds: 60 },
  resting: { retryAfterSeconds: 15 },
  /** Our own budget allows no call; none was made. */
  'budget-spent': { code: 'BUDGET_SPENT', retryAfterSeconds: 3_600 },
  'budget-busy': { code: 'AGENCY_BUSY', retryAfterSeconds: 1 },
  /** None of our processes calls the agency at the moment; no call was made. */
  'no-caller': { code: 'UNAVAILABLE', retryAfterSeconds: 5 },
} as const satisfies Record<string, FailureFacts>;

/** A caller that is lost has a successor within this time, unless its host is lost, too. */
export const NO_CALLER: AgencyFailure = { kind: 'no-caller', retryAfterMs: 5_000 };

/** Returns whether no call was made, because our own budget has none. */
export function isRefusedByBudget(kind: FailureKind): boolean {
  return kind === 'budget-busy' || kind === 'budget-spent';
}

/** Returns the error that a failed lookup ends in. */
export function toAppError({ kind, agencyMessage, retryAfterMs }: AgencyFailure): AppError {
  if (kind === 'refused') return new AppError('AGENCY_REFUSED', 'AGENCY_REFUSED', { agencyMessage });
  const facts: FailureFacts = FAILURES[kind];
  const retryAfterSeconds =
    retryAfterMs === undefined ? facts.retryAfterSeconds : Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new AppError(facts.code ?? 'AGENCY_UNAVAILABLE', `agency-${kind}`, {
    values: { seconds: retryAfterSeconds },
    agencyMessage,
    retryAfterSeconds,
  });
}

/** 404 covers numbers that were never given out, new ones, and people whom the law hides (8 U.S.C. 1367). */
export function notRecognized(agencyMessage?: string): AppError {
  return new AppError('RECEIPT_NOT_RECOGNIZED', 'RECEIPT_NOT_RECOGNIZED', { agencyMessage });
}
