import { ApiError } from '../../api/api-error.ts';

export interface LookupFailure {
  title: string;
  /** What happened, in the server's words where it gave any. */
  text: string;
  /** The title says all that the text does. */
  titleSaysAll?: true;
  /** What the person can do about it. */
  advice: string;
  /** Whether the same question may get an answer later. */
  canRetry: boolean;
  /** Why, for its reference. */
  error: unknown;
}

interface Fallbacks {
  /** For an answer of the server that says nothing to people. */
  refused: string;
  /** For a call that got no answer at all. */
  unanswered: string;
}

export const SINGLE_FALLBACKS: Fallbacks = {
  refused: 'Failed to fetch case status',
  unanswered: 'Failed to fetch case status. Please try again.',
};
export const BULK_FALLBACKS: Fallbacks = {
  refused: 'Failed to fetch bulk case status',
  unanswered: 'Failed to fetch case statuses. Please try again.',
};

/** Explains why a look-up gave no status, and what to do next. */
export function explainLookupFailure(error: unknown, fallbacks: Fallbacks): LookupFailure {
  if (!(error instanceof ApiError)) {
    return {
      title: 'No answer',
      text: fallbacks.unanswered,
      advice:
        globalThis.navigator?.onLine === false
          ? 'This device is offline. What is shown here stays as it is until you are connected again.'
          : 'Check your internet connection.',
      canRetry: true,
      error,
    };
  }
  return { text: error.serverMessage ?? fallbacks.refused, ...adviceFor(error), error };
}

function adviceFor({ code, status, serverMessage }: ApiError): Omit<LookupFailure, 'text' | 'error'> {
  switch (code) {
    case 'VALIDATION':
    case 'BAD_REQUEST':
      return {
        title: 'Check the receipt number',
        advice: 'It has 3 letters followed by 10 numbers, as printed on your receipt notice.',
        canRetry: false,
      };
    case 'RECEIPT_NOT_RECOGNISED':
      return {
        title: 'Receipt number not recognized',
        advice:
          'Compare it with your receipt notice, letter by letter. A new case can take a few days to show up.',
        canRetry: false,
        titleSaysAll: true,
      };
    case 'AGENCY_REFUSED':
      return {
        title: 'The agency could not answer for this case',
        advice: 'Compare the number with your receipt notice, or look it up on the official site.',
        canRetry: false,
      };
    case 'SIGNED_OUT':
      return { title: 'Please sign in again', advice: 'Your session has ended.', canRetry: false };
    default:
      return {
        title: status === 429 ? 'Too many requests right now' : 'Status not available right now',
        advice:
          // The server's words say when to come back.
          serverMessage === undefined
            ? 'Please try again in a moment.'
            : 'This says nothing about your case. You can also look it up on the official site.',
        canRetry: true,
      };
  }
}
