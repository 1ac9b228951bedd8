import type { PersonalData } from '@casewatch/service-kit/database/personal-data';

/** The messages about the user's notifications, and the user's digests. */
const OWN_DELIVERIES = `id IN (
  SELECT id FROM deliveries WHERE user_id = $1::uuid UNION ALL
  SELECT delivery.id FROM notifications AS n JOIN deliveries AS delivery ON notification_id = n.id WHERE n.user_id = $1::uuid)`;

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    recipients: {
      key: ['user_id'],
      columns: 'user_id, last_seq, newest_change',
      withheld: { deleted_at: 'empty as long as the account exists' },
    },
    notifications: {
      key: ['seq'],
      columns: `
        id, user_id, seq, receipt_number, old_status, new_status, created_at, read, milestone, reason,
        effective_at, price_change, in_bell, change_order, awaits_device_since, date_id, date_kind, day, date_label
      `,
    },
    preferences: { key: ['user_id'], columns: 'user_id, settings, changed_at' },
    digest_changes: {
      key: ['channel', 'kind', 'notification_id'],
      columns: 'user_id, channel, kind, notification_id',
    },
    digest_schedules: { key: ['channel', 'kind'], columns: 'user_id, channel, kind, next_at' },
    deliveries: {
      where: OWN_DELIVERIES,
      key: ['id'],
      columns: `
        id, channel, kind, state, attempts, queued_at, next_attempt_at, last_error, sent_at, device_id,
        notification_id, user_id, digest_kind, period, changes
      `,
    },
    push_devices: {
      key: ['added_at', 'id'],
      columns: `
        id, user_id, name, show_receipt_numbers, language, added_at, last_success_at, last_failure_at,
        last_error, tested_at, session_id
      `,
      withheld: {
        endpoint: 'an address at which anyone who knows it can bother the device',
        p256dh: 'encrypts messages to the device',
        auth: 'encrypts messages to the device',
        public_key: 'the product’s own',
      },
    },
  },
};
