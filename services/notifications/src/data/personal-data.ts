import type { PersonalData } from '@casewatch/service-kit/database/personal-data';

/** How far a message has got: the same columns in every table of messages. */
const PROGRESS = ['state', 'attempts', 'queued_at', 'next_attempt_at', 'last_error', 'sent_at'];

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    recipients: {
      key: ['user_id'],
      columns: ['user_id', 'last_seq', 'newest_change'],
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
        'change_order',
        'awaits_device_since',
      ],
    },
    preferences: { key: ['user_id'], columns: ['user_id', 'settings', 'changed_at'] },
    digest_changes: {
      key: ['channel', 'kind', 'notification_id'],
      columns: ['user_id', 'channel', 'kind', 'notification_id'],
    },
    digest_schedules: { key: ['kind'], columns: ['user_id', 'kind', 'next_at'] },
    digests: {
      key: ['kind', 'period'],
      columns: ['id', 'user_id', 'kind', 'period', 'changes', ...PROGRESS],
    },
    push_digest_schedules: { key: ['kind'], columns: ['user_id', 'kind', 'next_at'] },
    push_digests: {
      key: ['kind', 'period', 'device_id'],
      columns: ['id', 'user_id', 'device_id', 'kind', 'period', 'changes', ...PROGRESS],
    },
    deliveries: {
      where: 'notification_id IN (SELECT id FROM notifications WHERE user_id = $1::uuid)',
      key: ['notification_id', 'channel'],
      columns: ['notification_id', 'channel', ...PROGRESS],
    },
    push_devices: {
      key: ['added_at', 'id'],
      columns: [
        'id',
        'user_id',
        'name',
        'show_receipt_numbers',
        'language',
        'added_at',
        'last_success_at',
        'last_failure_at',
        'last_error',
        'tested_at',
        'session_id',
      ],
      withheld: {
        endpoint: 'an address at which anyone who knows it can bother the device',
        p256dh: 'encrypts messages to the device',
        auth: 'encrypts messages to the device',
        public_key: 'the product’s own',
      },
    },
    push_deliveries: {
      where: 'device_id IN (SELECT id FROM push_devices WHERE user_id = $1::uuid)',
      key: ['notification_id', 'device_id'],
      columns: ['id', 'notification_id', 'device_id', ...PROGRESS],
    },
  },
};
