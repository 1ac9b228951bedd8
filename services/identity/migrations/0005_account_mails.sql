-- Up Migration

-- When the person proved that the address is theirs; null: not yet. The default, which is evaluated once and rewrites no
-- row, makes accounts from before count as proven, and those that processes of an older version still create.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz(3) DEFAULT now();

-- E-mails about accounts that were requested, until their time is over. The link of one is made when it is sent.
CREATE TABLE account_mails (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  -- Where it goes. That of a password reset may belong to no account.
  email text NOT NULL,
  -- Null where the account is found by the address when the e-mail is sent.
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  device text,
  network text,
  requested_at timestamptz(3) NOT NULL,
  -- When it is too late to send it, and its links end.
  expires_at timestamptz(3) NOT NULL
);

CREATE INDEX account_mails_user_id ON account_mails (user_id);
CREATE INDEX account_mails_expires_at ON account_mails (expires_at);

-- What opens a link in an e-mail.
CREATE TABLE account_tokens (
  -- SHA-256 of the token, hex: what leaks from here opens nothing.
  token_hash text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('reset-password', 'confirm-email')),
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The address that it was sent to and proves.
  email text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

CREATE INDEX account_tokens_user_id ON account_tokens (user_id);
CREATE INDEX account_tokens_expires_at ON account_tokens (expires_at);

-- Down Migration

DROP TABLE account_tokens;
DROP TABLE account_mails;
ALTER TABLE users DROP COLUMN email_verified_at;
