-- Up Migration

SET lock_timeout = '5s';

-- Which push messages are collected. Apart from `settings`, where processes of the release before refuse these timings: there,
-- what is collected counts as `never`. Null: chosen before this was possible.
ALTER TABLE preferences ADD COLUMN push_timings jsonb;

-- As `digest_schedules`, which processes of the release before end when no e-mails are collected.
CREATE TABLE push_digest_schedules (
  user_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('daily', 'weekly')),
  next_at timestamptz(3) NOT NULL,
  after_seq integer NOT NULL,
  PRIMARY KEY (user_id, kind)
) WITH (fillfactor = 80);

-- Serves the job that makes digests, in pages.
CREATE INDEX push_digest_schedules_due ON push_digest_schedules (next_at, user_id, kind);

-- The delivery log of digests to devices. One per device, kind and local date of its user, whatever the clock or a replay does.
CREATE TABLE push_digests (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  device_id uuid NOT NULL REFERENCES push_devices (id) ON DELETE CASCADE,
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
  UNIQUE (user_id, kind, period, device_id),
  CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- Serves the removal of a device.
CREATE INDEX push_digests_of_device ON push_digests (device_id);
-- Serves the claim.
CREATE INDEX push_digests_due ON push_digests (next_attempt_at) WHERE state = 'queued';

-- Down Migration

DROP TABLE push_digests;
DROP TABLE push_digest_schedules;
ALTER TABLE preferences DROP COLUMN push_timings;
