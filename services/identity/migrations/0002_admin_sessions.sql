-- Up Migration

CREATE TABLE admin_sessions (
  -- SHA-256 of the cookie's value, hex.
  sid_hash text PRIMARY KEY,
  -- What the audit trail calls it; opens nothing.
  id uuid NOT NULL,
  -- Of the passcode that opened it: under another one it is over.
  passcode_fingerprint text NOT NULL,
  -- SHA-256 of the network it was opened from, hex: where an administrator has been before.
  network_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  CHECK (expires_at <= ends_at)
);

-- Down Migration

DROP TABLE admin_sessions;
