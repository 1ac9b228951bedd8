import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Store } from './store.ts';

/** The dependencies of the use cases. */
export interface SurveysService {
  readonly store: Store;
  readonly clock: Clock;
}

/** Returns the count of an account that still exists: an identity token may outlive its account by up to a minute. @throws AppError SIGNED_OUT */
export function present(loginCount: number | undefined): number {
  if (loginCount === undefined) throw new AppError('SIGNED_OUT');
  return loginCount;
}

export function surveyNotFound(): AppError {
  return new AppError('NOT_FOUND', 'survey-gone');
}

export function questionNotFound(): AppError {
  return new AppError('NOT_FOUND', { en: 'This question does not exist any more.' });
}
