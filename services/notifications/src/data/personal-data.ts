import type { PersonalData } from '@casewatch/service-kit/database/personal-data';

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    recipients: {
      key: ['user_id'],
      columns: ['user_id', 'last_seq', 'email'],
      withheld: { deleted_at: 'empty as long as the account exists' },
    },
    notifications: {
      key: ['seq'],
      columns: ['id', 'user_id', 'seq', 'receipt_number', 'old_status', 'new_status', 'created_at', 'read'],
    },
    deliveries: {
      where: 'notification_id IN (SELECT id FROM notifications WHERE user_id = $1::uuid)',
      key: ['notification_id', 'channel'],
      columns: [
        'notification_id',
        'channel',
        'state',
        'attempts',
        'queued_at',
        'next_attempt_at',
        'last_error',
        'sent_at',
      ],
    },
  },
};
