import type { PersonalData } from '@casewatch/service-kit/database/personal-data';
import { LAST_CHECKED } from './saved-case-rows.ts';

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    saved_cases: {
      key: ['id'],
      columns: `
        id, user_id, receipt_number, nickname, tags, monitoring_frequency, monitoring_paused_at,
        last_known_status, last_known_status_es, form_type, status_changed_at, status_date, archived_at,
        snoozed_until, created_at, watch_version, began_version, began_call, began_status, dates
      `,
      more: { last_checked_at: LAST_CHECKED },
      withheld: {
        last_checked_at: 'the row has what the list shows in its place',
        first_open_day: 'made of the dates',
        last_open_day: 'made of the dates',
      },
    },
    removed_cases: {
      key: ['receipt_number'],
      columns: `
        user_id, receipt_number, nickname, tags, monitoring_frequency, last_known_status, archived_at,
        snoozed_until, created_at, dates, removed_at
      `,
    },
    plans: { key: ['user_id'], columns: 'user_id, tier, version' },
    watch_lists: { key: ['user_id'], columns: 'user_id, listed_at' },
    agency_budget_users: { key: ['day'], columns: 'day, user_id, calls' },
  },
  leftOut: {
    deleted_users: 'empty as long as the account exists',
    agency_queue:
      'lookups that wait for the agency at the moment; the request log has them when they have ended',
  },
};
