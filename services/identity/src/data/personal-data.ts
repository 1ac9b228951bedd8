import type { PersonalData } from '@casewatch/service-kit/database/personal-data';

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    users: {
      where: 'id = $1::uuid',
      key: ['id'],
      columns: `
        id, email, first_name, last_name, role, tier, version, subscription_version, login_count, is_demo,
        email_verified_at, email_refused_at, language, last_language, policies_version, payment_failed,
        created_at
      `,
      withheld: {
        email_key: 'the e-mail address again, for comparing',
        password_hash: 'a secret',
        device_key: 'a secret',
      },
    },
    sessions: {
      key: ['sid_hash'],
      columns: 'id, user_id, device, network, created_at, last_seen_at, expires_at, ends_at',
      withheld: { sid_hash: 'a secret' },
    },
    device_sessions: { key: ['session_id'], columns: 'session_id, user_id, granted_at' },
    account_mails: {
      key: ['id'],
      columns: 'id, user_id, kind, email, device, network, language, requested_at, expires_at',
    },
    account_tokens: {
      key: ['token_hash'],
      columns: 'user_id, purpose, email, expires_at',
      withheld: { token_hash: 'a secret' },
    },
    passkeys: {
      key: ['id'],
      columns: 'id, credential_id, user_id, name, synced, transports, counter, created_at, last_used_at',
      withheld: {
        administrator_id: 'null for a user',
        public_key: 'checks signatures; the credential id names it',
      },
    },
    passkey_challenges: {
      key: ['challenge_hash'],
      columns: 'user_id, purpose, expires_at',
      withheld: { challenge_hash: 'a secret', administrator_id: 'null for a user' },
    },
  },
};
