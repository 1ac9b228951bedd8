-- Up Migration

-- The delivery log of e-mails about accounts: no notification belongs to them, and a burst of status changes must not
-- hold them back. Names no one: what an e-mail says, and whom it goes to, is requested from identity when it is sent.
CREATE TABLE account_deliveries (
  -- What identity calls the e-mail; the same request never becomes two.
  id uuid PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'skipped')),
  attempts integer NOT NULL DEFAULT 0,
  queued_at timestamptz(3) NOT NULL,
  -- Moved forward by the process that sends it: until then no other process does.
  next_attempt_at timestamptz(3),
  last_error text,
  sent_at timestamptz(3),
  CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- Serves the claim.
CREATE INDEX account_deliveries_due ON account_deliveries (next_attempt_at) WHERE state = 'queued';
-- Serves the removal of old rows, and the age of the oldest that is queued.
CREATE INDEX account_deliveries_queued ON account_deliveries (queued_at);

-- Down Migration

DROP TABLE account_deliveries;
