-- Up Migration

CREATE TABLE users (
  id uuid PRIMARY KEY,
  -- As the person typed it, trimmed and its domain in ASCII; `email_key` is what makes it unique whatever its case.
  email text NOT NULL,
  email_key text NOT NULL CHECK (email_key = lower(email COLLATE "C")),
  password_hash text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  role text,
  tier text NOT NULL DEFAULT 'free' CHECK (tier IN ('free', 'pro')),
  login_count integer NOT NULL DEFAULT 0,
  is_demo boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  -- Rises with every change that is published.
  version integer NOT NULL DEFAULT 0,
  -- Of the subscription that the tier is from; 0: of none.
  subscription_version integer NOT NULL DEFAULT 0,
  -- Signs the account's device cookies, 32 random bytes as base64url; another one makes those signed before worthless.
  device_key text NOT NULL,
  -- When the person proved that the address is theirs; null: not yet.
  email_verified_at timestamptz(3),
  -- Since when mail servers refuse e-mails to the address for good; null: they are accepted, as far as known.
  email_refused_at timestamptz(3),
  -- What the person chose. Null: as the browser asks for. No check, here and below: a language that is added later must
  -- not wait for a scan of the table.
  language text,
  -- Of the browser at the latest sign-up or sign-in, for accounts that chose none.
  last_language text,
  -- The version of the terms of use and privacy policy that the person agreed to at the sign-up; null: made in another way.
  policies_version text,
  -- Whether the newest change of the subscription left a renewal unpaid.
  payment_failed boolean NOT NULL DEFAULT false
);

CREATE UNIQUE INDEX users_email_key ON users (email_key);
-- A handful of rows at most: found at every start without reading the whole table.
CREATE INDEX users_demo ON users (id) WHERE is_demo;
-- Users are found by how their last names and e-mail addresses begin (`findUsers`).
CREATE INDEX users_email_start ON users (email_key text_pattern_ops);
CREATE INDEX users_last_name_start
  ON users (lower(regexp_replace(normalize(last_name, NFKD), '[\u0300-\u036f]+', '', 'g')) text_pattern_ops);

CREATE TABLE sessions (
  -- SHA-256 of the cookie's value, hex: a leaked value does not sign anyone in.
  sid_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  -- When it ends if it is not used any more; never after `ends_at`.
  expires_at timestamptz(3) NOT NULL,
  -- When it ends however much it is used.
  ends_at timestamptz(3) NOT NULL,
  -- What the person sees of it in the list of their sessions.
  id uuid NOT NULL,
  -- Such as "Firefox on Windows".
  device text NOT NULL,
  -- The address prefix of the sign-in (IPv4 /24, IPv6 /48).
  network text NOT NULL,
  CHECK (expires_at <= ends_at)
);

CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- The sessions whose devices may get push messages. What ends a session ends this; a session that expires leaves it, since many
-- turn on push messages in order not to open the product.
CREATE TABLE device_sessions (
  session_id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  granted_at timestamptz(3) NOT NULL
);

CREATE INDEX device_sessions_user_id ON device_sessions (user_id);

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
  expires_at timestamptz(3) NOT NULL,
  -- Of the request that caused it.
  language text NOT NULL
);

CREATE INDEX account_mails_user_id ON account_mails (user_id);
CREATE INDEX account_mails_expires_at ON account_mails (expires_at);
-- Requests to reset the password of an address end with the links of the account that has it.
CREATE INDEX account_mails_address ON account_mails (lower(email COLLATE "C")) WHERE user_id IS NULL;

-- What opens a link in an e-mail.
CREATE TABLE account_tokens (
  -- SHA-256 of the token, hex: what leaks from here opens nothing.
  token_hash text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('reset-password', 'confirm-email', 'change-email', 'stop-email-change')),
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The address that it was sent to and proves.
  email text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

CREATE INDEX account_tokens_user_id ON account_tokens (user_id);
CREATE INDEX account_tokens_expires_at ON account_tokens (expires_at);

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
  last_sign_in_at timestamptz(3),
  -- Those who sign in with the team's OpenID provider are known by its issuer and their subject there.
  oidc_issuer text,
  oidc_subject text,
  -- The provider's groups gave the role: without a group the access ends.
  oidc_gives_role boolean NOT NULL DEFAULT false,
  CHECK (num_nonnulls(oidc_issuer, oidc_subject) IN (0, 2))
);

CREATE UNIQUE INDEX administrators_email_key ON administrators (email_key);
CREATE UNIQUE INDEX administrators_invitation_hash ON administrators (invitation_hash);
CREATE UNIQUE INDEX administrators_oidc ON administrators (oidc_issuer, oidc_subject);

-- A session is opened by the passcode or by an administrator.
CREATE TABLE admin_sessions (
  -- SHA-256 of the cookie's value, hex.
  sid_hash text PRIMARY KEY,
  -- What the audit trail calls it; opens nothing.
  id uuid NOT NULL,
  -- Of the passcode that opened it: under another one it is over.
  passcode_fingerprint text,
  -- SHA-256 of the network it was opened from, hex: where an administrator has been before.
  network_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  administrator_id uuid REFERENCES administrators (id) ON DELETE CASCADE,
  CHECK (expires_at <= ends_at),
  CHECK (num_nonnulls(passcode_fingerprint, administrator_id) = 1)
);

CREATE INDEX admin_sessions_administrator_id ON admin_sessions (administrator_id);

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
