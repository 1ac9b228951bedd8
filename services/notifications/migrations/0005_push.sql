-- Up Migration

SET lock_timeout = '5s';

-- Browsers that get notifications although the product is closed (RFC 8030). One endpoint is one row, and belongs to
-- the user who signed in last.
CREATE TABLE push_devices (
  -- Made from the endpoint.
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  endpoint text NOT NULL,
  -- What messages to the browser are encrypted with (RFC 8291).
  p256dh text NOT NULL,
  auth text NOT NULL,
  -- The product's key that the browser subscribed with: another one is refused.
  public_key text NOT NULL,
  name text NOT NULL,
  show_receipt_numbers boolean NOT NULL DEFAULT false,
  added_at timestamptz(3) NOT NULL,
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_error text,
  tested_at timestamptz(3)
) WITH (fillfactor = 80);

CREATE INDEX push_devices_of_user ON push_devices (user_id);

-- The delivery log of push messages: one per notification and device. A table of its own, since processes of the version
-- before claim every row of `deliveries` as an e-mail.
CREATE TABLE push_deliveries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  notification_id uuid NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
  device_id uuid NOT NULL REFERENCES push_devices (id) ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'skipped')),
  attempts integer NOT NULL DEFAULT 0,
  queued_at timestamptz(3) NOT NULL,
  -- Moved forward by the process that sends it: until then no other process does.
  next_attempt_at timestamptz(3),
  last_error text,
  sent_at timestamptz(3),
  UNIQUE (notification_id, device_id),
  CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- Serves the removal of a device.
CREATE INDEX push_deliveries_of_device ON push_deliveries (device_id);
-- Serves the claim.
CREATE INDEX push_deliveries_due ON push_deliveries (next_attempt_at) WHERE state = 'queued';
-- Serves the count of what waits and the age of the oldest.
CREATE INDEX push_deliveries_queued ON push_deliveries (queued_at) WHERE state = 'queued';

-- Down Migration

DROP TABLE push_deliveries;
DROP TABLE push_devices;
