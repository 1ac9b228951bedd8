import type { BulkResultItem } from '@casewatch/contracts/cases';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { ApiError } from '../../api/api-error.ts';
import { serverText } from '../../lib/server-texts.ts';

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
  refused: MessageDescriptor;
  /** For a call that got no answer at all. */
  unanswered: MessageDescriptor;
}

export const SINGLE_FALLBACKS: Fallbacks = {
  refused: msg`Failed to fetch case status`,
  unanswered: msg`Failed to fetch case status. Please try again.`,
};
export const BULK_FALLBACKS: Fallbacks = {
  refused: msg`Failed to fetch bulk case status`,
  unanswered: msg`Failed to fetch case statuses. Please try again.`,
};

/** Returns why a case of many has no status. */
export function failureText(item: BulkResultItem): string {
  return serverText(item) || i18n._(SINGLE_FALLBACKS.refused);
}

/** Explains why a lookup gave no status, and what to do next. */
export function explainLookupFailure(error: unknown, fallbacks: Fallbacks): LookupFailure {
  if (!(error instanceof ApiError)) {
    return {
      title: t`No answer`,
      text: i18n._(fallbacks.unanswered),
      advice:
        globalThis.navigator?.onLine === false
          ? t`This device is offline. This will not update until you are back online.`
          : t`Check your internet connection.`,
      canRetry: true,
      error,
    };
  }
  return { text: error.serverMessage ?? i18n._(fallbacks.refused), ...adviceFor(error), error };
}

function adviceFor({ code, status, serverMessage }: ApiError): Omit<LookupFailure, 'text' | 'error'> {
  switch (code) {
    case 'VALIDATION':
    case 'BAD_REQUEST':
      return {
        title: t`Check the receipt number`,
        advice: t`It has 3 letters followed by 10 numbers, as printed on your receipt notice.`,
        canRetry: false,
      };
    case 'RECEIPT_NOT_RECOGNIZED':
      return {
        title: t`Receipt number not recognized`,
        advice: t`Compare it with your receipt notice, character by character. A new case can take a few days to show up.`,
        canRetry: false,
        titleSaysAll: true,
      };
    case 'AGENCY_REFUSED':
      return {
        title: t`The agency could not answer for this case`,
        advice: t`Compare the number with your receipt notice, or look it up on the official site.`,
        canRetry: false,
      };
    case 'SIGNED_OUT':
      return { title: t`Please sign in again`, advice: t`Your session has ended.`, canRetry: false };
    default:
      return {
        title: status === 429 ? t`Too many requests right now` : t`Status not available right now`,
        advice:
          // The server's words say when to come back.
          serverMessage === undefined
            ? t`Please try again in a moment.`
            : t`This does not mean anything is wrong with your case. You can also look it up on the official site.`,
        canRetry: true,
      };
  }
}
