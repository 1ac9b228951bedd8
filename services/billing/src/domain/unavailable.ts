import { AppError } from '@casewatch/service-kit/errors/app-error';

const RETRY_AFTER_SECONDS = 5;

/** What a caller is told while payments can't be dealt with: nothing has been done by halves. */
export function paymentsUnavailable(cause?: unknown): AppError {
  return new AppError(
    'PAYMENTS_UNAVAILABLE',
    'Payments are not available right now. Please try again shortly.',
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    },
  );
}

/** What a caller is told where no provider is set up. */
export function paymentsOff(): AppError {
  return new AppError('PAYMENTS_UNAVAILABLE', 'Payments are not set up on this site.');
}
