import { findUsers as contract, FOUND_USERS_MAX } from '@casewatch/contracts/find-users';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { CallFilter } from './call-filter.ts';

/** Shorter ones begin too many names: they are compared with first names only. */
const SHORTEST = 3;

/**
 * Adds the users whose last name or e-mail address begins as the filter says; the log itself knows first names.
 * @throws AppError VALIDATION when too many do, so that the result would not be complete
 */
export async function withFoundUsers(services: ServiceClient, filter: CallFilter): Promise<CallFilter> {
  const { nameStart } = filter;
  if (nameStart === undefined || nameStart.length < SHORTEST) return filter;
  const { userIds, isComplete } = await services.call(contract, { body: { start: nameStart } });
  if (!isComplete) {
    throw new AppError('VALIDATION', {
      en: `More than ${FOUND_USERS_MAX} last names and email addresses start like this. Type more characters.`,
    });
  }
  return userIds.length === 0 ? filter : { ...filter, alsoUserIds: userIds };
}
