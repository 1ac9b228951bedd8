import { t } from '@lingui/core/macro';
import { ApiError } from './api-error.ts';

/** Returns what to do about a call that failed: the connection is to blame only where there was no answer. */
export function retryAdvice(error: unknown): string {
  if (!(error instanceof ApiError)) return t`Check your connection and try again.`;
  return error.status >= 500
    ? t`Something went wrong on our side. Please try again in a moment.`
    : t`Please try again in a moment.`;
}
