-- Up Migration

CREATE TABLE users (
  id uuid PRIMARY KEY,
  -- As the person typed it, trimmed; `email_key` is what makes it unique whatever its case.
  email text NOT NULL,
  email_key text NOT NULL CHECK (email_key = lower(email COLLATE "C")),
  password_hash text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  role text,
  tier text NOT NULL DEFAULT 'free' CHECK (tier IN ('free', 'pro')),
  login_count integer NOT NULL DEFAULT 0,
  is_demo boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL
);

CREATE UNIQUE INDEX users_email_key ON users (email_key);
-- A handful of rows at most: found at every start without reading the whole table.
CREATE INDEX users_demo ON users (id) WHERE is_demo;

CREATE TABLE sessions (
  -- SHA-256 of the cookie's value, hex: what leaks from here signs nobody in.
  sid_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  -- When it ends if nobody uses it any more; never after `ends_at`.
  expires_at timestamptz(3) NOT NULL,
  -- When it ends however much it is used.
  ends_at timestamptz(3) NOT NULL,
  CHECK (expires_at <= ends_at)
);

CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Down Migration

DROP TABLE sessions;
DROP TABLE users;
