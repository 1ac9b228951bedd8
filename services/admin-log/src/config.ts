import { integer, setting } from '@casewatch/service-kit/settings/settings';
import { databaseConnections } from '@casewatch/service-kit/settings/shared-settings';

/** What the admin-log service reads from the environment. */
export const settings = {
  LOG_PAYLOAD_DAYS: setting(integer(1, 3_650).default(90), {
    description: 'A lookup in the log shows what the agency answered for this many days.',
  }),
  LOG_ROW_MONTHS: setting(integer(1, 1_200).default(13), {
    description:
      'Calls in the log, and entries of the audit trail, are kept for this many months; calls go by whole months (UTC).',
  }),
  AGENCY_CALLS_PER_DAY: setting(integer(1, 2_000_000_000).default(1_000), {
    description:
      'Calls the agency allows a day, counted from midnight GMT: what the overview shows as the budget.',
  }),
  ADMIN_LOG_DATABASE_CONNECTIONS: databaseConnections('admin-log', 6),
};
