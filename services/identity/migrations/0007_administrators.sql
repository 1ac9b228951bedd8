-- Up Migration

CREATE TABLE administrators (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL CHECK (email_key = lower(email COLLATE "C")),
  role text NOT NULL CHECK (role IN ('owner', 'auditor', 'survey-editor')),
  -- Null until the invitation is accepted, as is what follows.
  name text,
  password_hash text,
  -- The key of the one-time codes, encrypted with the password: what leaks from here makes no code.
  sealed_totp_key text,
  -- The newest time step whose code was used: none is taken twice.
  totp_step bigint,
  -- SHA-256 of each recovery code that is left, hex.
  recovery_hashes text[] NOT NULL,
  -- Signs the device cookies of the account, as in `users`.
  device_key text,
  -- SHA-256 of the link's token, hex; null without an open invitation, as is what follows.
  invitation_hash text,
  invitation_totp_key text,
  invitation_expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  last_sign_in_at timestamptz(3)
);
CREATE UNIQUE INDEX administrators_email_key ON administrators (email_key);
CREATE UNIQUE INDEX administrators_invitation_hash ON administrators (invitation_hash);

-- A session is opened by the passcode or by an administrator. Older code finds sessions by their passcode alone.
ALTER TABLE admin_sessions
  ADD COLUMN administrator_id uuid REFERENCES administrators (id) ON DELETE CASCADE,
  ALTER COLUMN passcode_fingerprint DROP NOT NULL,
  ADD CHECK (num_nonnulls(passcode_fingerprint, administrator_id) = 1);
CREATE INDEX admin_sessions_administrator_id ON admin_sessions (administrator_id);

-- Down Migration

DELETE FROM admin_sessions WHERE passcode_fingerprint IS NULL;
ALTER TABLE admin_sessions DROP COLUMN administrator_id, ALTER COLUMN passcode_fingerprint SET NOT NULL;
DROP TABLE administrators;
