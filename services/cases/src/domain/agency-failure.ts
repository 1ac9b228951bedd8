import type { ErrorCode } from '@casewatch/contracts/route-contract';
import { AppError } from '@casewatch/service-kit/errors/app-error';

/** Why the agency gave no answer about a case. `refused`: it won't look this receipt number up (422); asking again gives the same. */
export type FailureKind = 'refused' | keyof typeof TEXTS;

export interface AgencyFailure {
  readonly kind: FailureKind;
  /** The agency's own words as plain text, where it gave some. */
  readonly agencyMessage?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** For the log: what exactly happened. Holds no secret and no receipt number. */
  readonly detail?: string | undefined;
}

interface FailureText {
  readonly code?: ErrorCode;
  readonly message: string;
  /** Used when the failure itself does not say when to come back. */
  readonly retryAfterSeconds: number;
  /** The text ends with the time at which to come back. */
  readonly saysWhen?: boolean;
}

const DOWN = "The agency's case status service is temporarily unavailable";
const NO_LOOKUPS = 'Case status look-ups are temporarily unavailable';
const LATER = 'Please try again in a few minutes.';
const SOON = 'Please try again in a moment.';

/** What a person reads for each failure: its own text, and what to do next. `AGENCY_UNAVAILABLE` where no code is named. */
const TEXTS = {
  /** Too many calls, by its own count (429). */
  'rate-limited': {
    code: 'AGENCY_BUSY',
    message: `${DOWN}: it is getting too many requests. ${SOON}`,
    retryAfterSeconds: 1,
  },
  'quota-spent': {
    code: 'BUDGET_SPENT',
    message: `${DOWN}: it accepts no more requests from us today.`,
    retryAfterSeconds: 3_600,
    saysWhen: true,
  },
  /** It says so (503). */
  unavailable: { message: `${DOWN}: it is closed or down at the moment. ${LATER}`, retryAfterSeconds: 60 },
  /** A web page instead of an answer. */
  maintenance: { message: `${DOWN}: it is under maintenance. ${LATER}`, retryAfterSeconds: 60 },
  /** An error that it documents nowhere. */
  unexpected: { message: `${DOWN}: it answered with an error. ${LATER}`, retryAfterSeconds: 60 },
  timeout: { message: `${DOWN}: it did not answer in time. ${LATER}`, retryAfterSeconds: 30 },
  /** No connection, or it broke. */
  unreachable: { message: `${DOWN}: it could not be reached. ${LATER}`, retryAfterSeconds: 30 },
  /** An answer, but not one about this case in the agreed form. */
  unreadable: {
    message: `${DOWN} for this case: its answer could not be read, so no status is shown. ${LATER}`,
    retryAfterSeconds: 30,
  },
  credentials: {
    message: `${DOWN}: it does not accept our access at the moment. ${LATER}`,
    retryAfterSeconds: 60,
  },
  resting: {
    message: `${DOWN}: it failed several times in a row, so we are giving it a short rest. ${SOON}`,
    retryAfterSeconds: 15,
  },
  /** Our own budget allows no call; none was made. */
  'budget-spent': {
    code: 'BUDGET_SPENT',
    message: `${NO_LOOKUPS}: today's requests to the agency are used up, or your fair share of what is left of them is.`,
    retryAfterSeconds: 3_600,
    saysWhen: true,
  },
  'budget-busy': {
    code: 'AGENCY_BUSY',
    message: `${NO_LOOKUPS}: too many people are asking at once. ${SOON}`,
    retryAfterSeconds: 1,
  },
  /** None of our processes calls the agency at the moment; no call was made. */
  'no-caller': {
    code: 'UNAVAILABLE',
    message: `${NO_LOOKUPS}: we cannot ask the agency right now. ${SOON}`,
    retryAfterSeconds: 5,
  },
} as const satisfies Record<string, FailureText>;

/** Returns whether no call was made, because our own budget has none. */
export function isRefusedByBudget(kind: FailureKind): boolean {
  return kind === 'budget-busy' || kind === 'budget-spent';
}

/** Returns the error that a failed lookup ends in. */
export function toAppError({ kind, agencyMessage, retryAfterMs }: AgencyFailure): AppError {
  if (kind === 'refused') {
    const message = `The agency did not accept this receipt number: ${agencyMessage ?? ''}`;
    return new AppError('AGENCY_REFUSED', message.trimEnd());
  }
  const text: FailureText = TEXTS[kind];
  const retryAfterSeconds =
    retryAfterMs === undefined ? text.retryAfterSeconds : Math.max(1, Math.ceil(retryAfterMs / 1000));
  const when = text.saysWhen ? ` Please try again in ${roughly(retryAfterSeconds)}.` : '';
  return new AppError(text.code ?? 'AGENCY_UNAVAILABLE', text.message + when, { retryAfterSeconds });
}

/** Rounded up, so that no client retries too early. */
function roughly(seconds: number): string {
  if (seconds <= 60) return 'a minute';
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** 404 covers numbers that were never given out, new ones, and people whom the law hides (8 U.S.C. 1367). */
export function notRecognized(): AppError {
  return new AppError(
    'RECEIPT_NOT_RECOGNISED',
    'This receipt number was not recognized by the agency. Check it against your receipt notice; a new case can take a few days to appear online.',
  );
}
