import { AppError } from '@casewatch/service-kit/errors/app-error';

export function emailTaken(cause?: unknown): AppError {
  return new AppError('EMAIL_TAKEN', 'An account with this email address already exists.', { cause });
}
