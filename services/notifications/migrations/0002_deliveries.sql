-- Up Migration

-- Whether the person wants e-mails. A row may be made for this alone; it has numbered nothing then.
ALTER TABLE recipients ADD COLUMN email boolean NOT NULL DEFAULT true;

-- The delivery log: what became of a notification on each channel that leaves the product. Written with the
-- notification and erased with it.
CREATE TABLE deliveries (
  notification_id uuid NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
  channel text NOT NULL CHECK (channel = 'email'),
  state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'skipped')),
  attempts integer NOT NULL DEFAULT 0,
  queued_at timestamptz(3) NOT NULL,
  -- Moved forward by whoever tries: so long nobody else does.
  next_attempt_at timestamptz(3),
  -- A word for it, never what the mail server said: that names people.
  last_error text,
  sent_at timestamptz(3),
  PRIMARY KEY (notification_id, channel),
  CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- Serves the claim.
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'queued';
-- Serves the count of what waits and the age of the oldest.
CREATE INDEX deliveries_queued ON deliveries (queued_at) WHERE state = 'queued';

-- Down Migration

DROP TABLE deliveries;
ALTER TABLE recipients DROP COLUMN email;
