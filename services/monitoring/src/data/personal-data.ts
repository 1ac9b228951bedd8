import type { PersonalData } from '@casewatch/service-kit/database/personal-data';

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    watchers: {
      key: ['receipt_number'],
      columns: 'user_id, receipt_number, period_days, version, began, seen_status, seen_call, seen_none',
    },
  },
  leftOut: { deleted_users: 'empty as long as the account exists' },
};
