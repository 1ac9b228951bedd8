import type { ErrorCode } from '@casewatch/contracts/route-contract';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { AgencyFailure, FailureKind } from './agency-failure.ts';

const DOWN = "The agency's case status service is temporarily unavailable";
const LATER = 'Please try again in a few minutes.';
const SOON = 'Please try again in a moment.';

interface Told {
  code: ErrorCode;
  message: string;
  /** Used when the failure itself does not say when to come back. */
  retryAfterSeconds?: number;
  /** The text ends with the time at which to come back. */
  saysWhen?: boolean;
}

/** What a person reads for each failure: its own text, and what to do next. */
const TOLD: Readonly<Record<Exclude<FailureKind, 'refused'>, Told>> = {
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
  unavailable: {
    code: 'AGENCY_UNAVAILABLE',
    message: `${DOWN}: it is closed or down at the moment. ${LATER}`,
    retryAfterSeconds: 60,
  },
  maintenance: {
    code: 'AGENCY_UNAVAILABLE',
    message: `${DOWN}: it is under maintenance. ${LATER}`,
    retryAfterSeconds: 60,
  },
  unexpected: {
    code: 'AGENCY_UNAVAILABLE',
    message: `${DOWN}: it answered with an error. ${LATER}`,
    retryAfterSeconds: 60,
  },
  timeout: {
    code: 'AGENCY_UNAVAILABLE',
    message: `${DOWN}: it did not answer in time. ${LATER}`,
    retryAfterSeconds: 30,
  },
  unreachable: {
    code: 'AGENCY_UNAVAILABLE',
    message: `${DOWN}: it could not be reached. ${LATER}`,
    retryAfterSeconds: 30,
  },
  unreadable: {
    code: 'AGENCY_UNAVAILABLE',
    message: `${DOWN} for this case: its answer could not be read, so no status is shown. ${LATER}`,
    retryAfterSeconds: 30,
  },
  credentials: {
    code: 'AGENCY_UNAVAILABLE',
    message: `${DOWN}: it does not accept our access at the moment. ${LATER}`,
    retryAfterSeconds: 60,
  },
  resting: {
    code: 'AGENCY_UNAVAILABLE',
    message: `${DOWN}: it failed several times in a row, so we are giving it a short rest. ${SOON}`,
    retryAfterSeconds: 15,
  },
  'budget-spent': {
    code: 'BUDGET_SPENT',
    message:
      "Case status look-ups are temporarily unavailable: today's requests to the agency are used up, or your fair share of what is left of them is.",
    retryAfterSeconds: 3_600,
    saysWhen: true,
  },
  'budget-busy': {
    code: 'AGENCY_BUSY',
    message: `Case status look-ups are temporarily unavailable: too many people are asking at once. ${SOON}`,
    retryAfterSeconds: 1,
  },
  'no-caller': {
    code: 'UNAVAILABLE',
    message: `Case status look-ups are temporarily unavailable: we cannot ask the agency right now. ${SOON}`,
    retryAfterSeconds: 5,
  },
};

/** The error that a failed look-up ends in. */
export function toAppError({ kind, agencyMessage, retryAfterMs }: AgencyFailure): AppError {
  if (kind === 'refused') {
    return new AppError(
      'AGENCY_REFUSED',
      `The agency did not accept this receipt number: ${agencyMessage ?? ''}`.trimEnd(),
    );
  }
  const { code, message, retryAfterSeconds, saysWhen } = TOLD[kind];
  const seconds =
    retryAfterMs === undefined ? retryAfterSeconds : Math.max(1, Math.ceil(retryAfterMs / 1000));
  const text =
    saysWhen && seconds !== undefined ? `${message} Please try again in ${roughly(seconds)}.` : message;
  return new AppError(code, text, seconds === undefined ? {} : { retryAfterSeconds: seconds });
}

/** Rounded up, so that nobody comes back too early. */
function roughly(seconds: number): string {
  if (seconds <= 60) return 'a minute';
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** 404 covers numbers that were never given out, new ones, and people whom the law hides (8 U.S.C. 1367). */
export function notRecognised(): AppError {
  return new AppError(
    'RECEIPT_NOT_RECOGNISED',
    'This receipt number was not recognized by the agency. Check it against your receipt notice; a new case can take a few days to appear online.',
  );
}
