-- Up Migration

-- The foreign keys lock users and administrators for a moment.
SET lock_timeout = '5s';

-- Passkeys (WebAuthn credentials) of users and of administrators.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  -- The authenticator's id of it, base64url.
  credential_id text NOT NULL,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  administrator_id uuid REFERENCES administrators (id) ON DELETE CASCADE,
  -- COSE_Key (RFC 9052). A leaked copy allows no sign-in.
  public_key bytea NOT NULL,
  -- The authenticator's count of signatures; 0 for those that do not count.
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  -- Whether it is backed up, and so on several devices.
  synced boolean NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  CHECK (num_nonnulls(user_id, administrator_id) = 1)
);
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (credential_id);
CREATE INDEX passkeys_user_id ON passkeys (user_id);
CREATE INDEX passkeys_administrator_id ON passkeys (administrator_id);

-- Challenges that were issued and not answered yet.
CREATE TABLE passkey_challenges (
  -- SHA-256 of the challenge, hex.
  challenge_hash text PRIMARY KEY,
  purpose text NOT NULL,
  -- Both null: for a sign-in, before which the account is not known.
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  administrator_id uuid REFERENCES administrators (id) ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  CHECK (num_nonnulls(user_id, administrator_id) <= 1)
);
CREATE INDEX passkey_challenges_user_id ON passkey_challenges (user_id);
CREATE INDEX passkey_challenges_administrator_id ON passkey_challenges (administrator_id);
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at);

-- Down Migration

DROP TABLE passkey_challenges;
DROP TABLE passkeys;
