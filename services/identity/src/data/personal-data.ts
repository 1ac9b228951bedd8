import type { PersonalData } from '@casewatch/service-kit/database/personal-data';

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    users: {
      where: 'id = $1::uuid',
      key: ['id'],
      columns: [
        'id',
        'email',
        'first_name',
        'last_name',
        'role',
        'tier',
        'tier_since',
        'login_count',
        'is_demo',
        'created_at',
      ],
      withheld: {
        email_key: 'the e-mail address again, for comparing',
        password_hash: 'a secret',
        device_key: 'a secret',
      },
    },
    sessions: {
      key: ['sid_hash'],
      columns: ['user_id', 'created_at', 'last_seen_at', 'expires_at', 'ends_at'],
      withheld: { sid_hash: 'a secret' },
    },
  },
};
