import type { PersonalData } from '@casewatch/service-kit/database/personal-data';

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    calls: {
      key: ['created_at', 'id'],
      columns: [
        'created_at',
        'id',
        'endpoint',
        'receipt_numbers',
        'user_id',
        'user_first_name',
        'source',
        'status_code',
        'success',
        'duration_ms',
        'outcome',
        'cause',
        'code',
        'queue_ms',
        'agency_ms',
        'agency_calls',
        'request_id',
        'trace_id',
        'tier',
        'origin',
        'served_stale',
      ],
      withheld: {
        name_key: 'the first name again, for searching',
        answer_at: 'of scheduled checks only',
        answer_id: 'of scheduled checks only',
      },
    },
    call_payloads: {
      where: '(created_at, id) IN (SELECT created_at, id FROM calls WHERE user_id = $1::uuid)',
      key: ['created_at', 'id'],
      columns: ['created_at', 'id', 'request', 'response', 'earlier_calls'],
    },
  },
  leftOut: { deleted_users: 'empty as long as the account exists' },
};
