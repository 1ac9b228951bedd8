import { AppError } from '@casewatch/service-kit/errors/app-error';

/** A feature of the pro tier that a free user requested. */
export type ProFeature =
  | 'Bulk Search'
  | 'Automated Monitoring'
  | 'Saving more than 3 cases'
  | 'Export of case data';

/** Returns the refusal, in the words of the upgrade dialog. */
export function proOnly(
  feature: ProFeature,
  code: 'PRO_REQUIRED' | 'SAVED_CASE_LIMIT' = 'PRO_REQUIRED',
): AppError {
  return new AppError(
    code,
    `${feature} is a Pro feature. Upgrade to unlock unlimited case tracking and automation.`,
  );
}
