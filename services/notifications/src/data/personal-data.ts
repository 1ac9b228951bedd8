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
      columns: [
        'id',
        'user_id',
        'seq',
        'receipt_number',
        'old_status',
        'new_status',
        'created_at',
        'read',
        'milestone',
        'reason',
        'effective_at',
        'in_bell',
      ],
    },
    preferences: { key: ['user_id'], columns: ['user_id', 'settings', 'changed_at'] },
    digest_schedules: { key: ['kind'], columns: ['user_id', 'kind', 'next_at', 'after_seq'] },
    digests: {
      key: ['kind', 'period'],
      columns: [
        'id',
        'user_id',
        'kind',
        'period',
        'after_seq',
        'until_seq',
        'state',
        'attempts',
        'queued_at',
        'next_attempt_at',
        'last_error',
        'sent_at',
      ],
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
