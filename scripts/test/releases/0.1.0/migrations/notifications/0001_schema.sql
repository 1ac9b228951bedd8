-- Up Migration

-- One row for each user who was ever notified, or deleted. The row numbers a person's notifications: a transaction that adds
-- some holds its lock until the commit, so the numbers become visible in their order and "all after n" misses
-- none. A row may be made to be locked alone; it has numbered nothing then. It outlives the account as the tombstone that keeps late
-- events from bringing it back.
CREATE TABLE recipients (
  user_id uuid PRIMARY KEY,
  last_seq integer NOT NULL,
  deleted_at timestamptz(3),
  -- The order of the newest change that the person was notified of, as in `notifications`.
  newest_change bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- What a user chose about notifications; without a row the defaults count.
CREATE TABLE preferences (
  user_id uuid PRIMARY KEY,
  settings jsonb NOT NULL,
  changed_at timestamptz(3) NOT NULL
);

-- A notification is about a case, about a date of one, or about the user's plan.
CREATE TABLE notifications (
  -- The id of its event, which has one recipient: the same event never becomes two of them. That of a reminder is made of what it reminds of.
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  seq integer NOT NULL,
  receipt_number text,
  old_status text,
  new_status text CHECK (new_status <> ''),
  created_at timestamptz(3) NOT NULL,
  read boolean NOT NULL DEFAULT false,
  milestone text,
  -- Why pro ended.
  reason text,
  effective_at timestamptz(3),
  -- What the plan costs before and after a change of its price.
  price_change jsonb,
  -- Whether it is in the list behind the bell; one that is not is stored for digests and exports, as read.
  in_bell boolean NOT NULL DEFAULT true,
  -- The order of a change: the number of the agency call that noticed it. Notifications of a user are in this order, and in
  -- that of `seq` where it is the same, whenever their events arrive. One about the plan has that of the newest change before it.
  change_order bigint NOT NULL DEFAULT 0,
  -- When it came while its user had no device, or was to be sent to the last one, which was removed: the next one gets it.
  awaits_device_since timestamptz(3),
  -- Of a reminder: the date, as the user entered it.
  date_id uuid,
  date_kind text,
  day text,
  date_label text,
  CONSTRAINT notifications_subject CHECK (
    CASE WHEN date_id IS NOT NULL THEN
        receipt_number IS NOT NULL AND num_nonnulls(date_kind, day) = 2 AND num_nonnulls(new_status, milestone) = 0
      WHEN milestone IS NULL THEN receipt_number IS NOT NULL AND new_status IS NOT NULL
      ELSE receipt_number IS NULL AND new_status IS NULL AND effective_at IS NOT NULL END
  )
);

-- Serves what a stream has missed.
CREATE UNIQUE INDEX notifications_of_user ON notifications (user_id, seq);
-- Serves the unread count and "mark all read".
CREATE INDEX notifications_unread ON notifications (user_id) WHERE NOT read;
-- Serve the list, newest change first, and the newest change of a case.
CREATE INDEX notifications_in_order ON notifications (user_id, change_order, seq);
CREATE INDEX notifications_of_case ON notifications (user_id, receipt_number, change_order, seq);

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
  tested_at timestamptz(3),
  -- Of its messages, as the app there was read last.
  language text NOT NULL DEFAULT 'en',
  -- The session in which the browser subscribed last: the messages to a device end with it.
  session_id uuid NOT NULL
) WITH (fillfactor = 80);

CREATE INDEX push_devices_of_user ON push_devices (user_id);

-- The delivery log: every message that leaves the product, by e-mail or to a device. `next_attempt_at` is moved forward by the process
-- that sends a message, so that until then no other process does, and `last_error` is a word, never a server's answer: that names people.
CREATE TABLE deliveries (
  -- Of an e-mail about an account: what identity calls it, so that the same request never becomes two.
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  channel text NOT NULL CHECK (channel IN ('email', 'push')),
  -- Each has its sender, so that none waits behind another: a burst of status changes holds no e-mail about an account up.
  kind text NOT NULL CHECK (kind IN ('account', 'notification', 'digest')),
  state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'skipped')),
  attempts integer NOT NULL DEFAULT 0,
  queued_at timestamptz(3) NOT NULL,
  next_attempt_at timestamptz(3),
  last_error text,
  sent_at timestamptz(3),
  -- Where a push message goes.
  device_id uuid REFERENCES push_devices (id) ON DELETE CASCADE,
  -- What a message is about that is written with its notification and erased with it.
  notification_id uuid REFERENCES notifications (id) ON DELETE CASCADE,
  -- Whose digest, for which local date, and the notifications that it reports.
  user_id uuid,
  digest_kind text CHECK (digest_kind IN ('daily', 'weekly')),
  period date,
  changes uuid[],
  CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CHECK ((channel = 'push') = (device_id IS NOT NULL)),
  -- One about an account names no one: what it says, and whom it goes to, is requested from identity when it is sent.
  CHECK (kind <> 'account' OR channel = 'email'),
  CHECK ((kind = 'notification') = (notification_id IS NOT NULL)),
  CHECK (num_nonnulls(user_id, digest_kind, period, changes) = CASE kind WHEN 'digest' THEN 4 ELSE 0 END)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- A notification becomes one e-mail and one message per device.
CREATE UNIQUE INDEX deliveries_of_notification ON deliveries (notification_id, device_id) NULLS NOT DISTINCT
  WHERE notification_id IS NOT NULL;
-- One digest per user, kind and local date, and per device, whatever the clock or a replay does.
CREATE UNIQUE INDEX deliveries_of_user ON deliveries (user_id, digest_kind, period, device_id) NULLS NOT DISTINCT
  WHERE user_id IS NOT NULL;
-- Serves the removal of a device.
CREATE INDEX deliveries_of_device ON deliveries (device_id) WHERE device_id IS NOT NULL;
-- Serves the claims.
CREATE INDEX deliveries_due ON deliveries (channel, kind, next_attempt_at) WHERE state = 'queued';
-- Serves the count of what waits and the age of the oldest, which is read from its head, however much has been sent.
CREATE INDEX deliveries_queued ON deliveries (channel, queued_at) WHERE state = 'queued';
-- Serves the removal of old rows.
CREATE INDEX deliveries_settled ON deliveries (kind, queued_at) WHERE state <> 'queued' AND notification_id IS NULL;

-- What waits for the user's next digest of a channel and kind: a row goes when a digest takes it, and comes back when its case turns
-- out to be snoozed or removed. What waits has a schedule.
CREATE TABLE digest_changes (
  user_id uuid NOT NULL,
  channel text NOT NULL CHECK (channel IN ('email', 'push')),
  kind text NOT NULL CHECK (kind IN ('daily', 'weekly')),
  notification_id uuid NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, channel, kind, notification_id)
);

-- Serves the removal of notifications.
CREATE INDEX digest_changes_of_notification ON digest_changes (notification_id);

-- When the next digest of a channel and kind is due.
CREATE TABLE digest_schedules (
  user_id uuid NOT NULL,
  channel text NOT NULL CHECK (channel IN ('email', 'push')),
  kind text NOT NULL CHECK (kind IN ('daily', 'weekly')),
  next_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, channel, kind)
) WITH (fillfactor = 80);

-- Serves the jobs that make digests, in pages.
CREATE INDEX digest_schedules_due ON digest_schedules (channel, next_at, user_id, kind);
