-- Up Migration

SET lock_timeout = '5s';

-- What a user chose about notifications; without a row the defaults count, and recipients.email. The column stays the
-- switch of e-mails about status changes, which processes of the release before read and write.
CREATE TABLE preferences (
  user_id uuid PRIMARY KEY,
  settings jsonb NOT NULL,
  changed_at timestamptz(3) NOT NULL
);

-- Whether it is in the list behind the bell; one that is not is stored for digests and exports, as read.
ALTER TABLE notifications ADD COLUMN in_bell boolean NOT NULL DEFAULT true;

-- When the next digest of a kind is due, and from where on it reports: what came after `after_seq`.
CREATE TABLE digest_schedules (
  user_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('daily', 'weekly')),
  next_at timestamptz(3) NOT NULL,
  after_seq integer NOT NULL,
  PRIMARY KEY (user_id, kind)
) WITH (fillfactor = 80);

-- Serves the job that makes digests, in pages.
CREATE INDEX digest_schedules_due ON digest_schedules (next_at, user_id, kind);

-- The delivery log of digests. One per user, kind and local date, whatever the clock or a replay does.
CREATE TABLE digests (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('daily', 'weekly')),
  period date NOT NULL,
  -- It reports the notifications in (after_seq, until_seq].
  after_seq integer NOT NULL,
  until_seq integer NOT NULL,
  state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'skipped')),
  attempts integer NOT NULL DEFAULT 0,
  queued_at timestamptz(3) NOT NULL,
  -- Moved forward by the process that sends it: until then no other process does.
  next_attempt_at timestamptz(3),
  last_error text,
  sent_at timestamptz(3),
  UNIQUE (user_id, kind, period),
  CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- Serves the claim.
CREATE INDEX digests_due ON digests (next_attempt_at) WHERE state = 'queued';

-- Down Migration

DROP TABLE digests;
DROP TABLE digest_schedules;
ALTER TABLE notifications DROP COLUMN in_bell;
DROP TABLE preferences;
