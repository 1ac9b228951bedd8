import type { PersonalData } from '@casewatch/service-kit/database/personal-data';

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    calls: {
      key: ['created_at', 'id'],
      columns: `
        created_at, id, receipt_number, user_id, user_first_name, source, status_code, success, duration_ms,
        outcome, cause, code, queue_ms, agency_ms, agency_calls, request_id, trace_id, tier, origin,
        served_stale, earlier_calls, payload_hash
      `,
      withheld: { name_key: 'the first name again, for searching' },
    },
    payloads: {
      where: `hash IN (
        SELECT payload_hash FROM calls WHERE user_id = $1::uuid UNION ALL
        SELECT decode(earlier->>'payloadHash', 'hex') FROM calls, jsonb_array_elements(earlier_calls) AS earlier
        WHERE user_id = $1::uuid)`,
      key: ['hash'],
      columns: 'hash, text, last_seen',
    },
  },
  leftOut: { deleted_users: 'empty as long as the account exists' },
};
