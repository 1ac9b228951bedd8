-- Up Migration

-- Everybody who was ever notified or has been deleted. The row numbers a person's notifications: whoever adds
-- some holds its lock until the commit, so the numbers become visible in their order and "all after n" misses
-- none. It outlives the account as the tombstone that keeps late events from bringing it back.
CREATE TABLE recipients (
  user_id uuid PRIMARY KEY,
  last_seq integer NOT NULL,
  deleted_at timestamptz(3)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE notifications (
  -- The id of the event it tells of, which has one recipient: the same event never becomes two of them.
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  seq integer NOT NULL,
  receipt_number text NOT NULL,
  old_status text,
  new_status text NOT NULL CHECK (new_status <> ''),
  created_at timestamptz(3) NOT NULL,
  read boolean NOT NULL DEFAULT false
);

-- Serves the list, newest first, and what a stream has missed.
CREATE UNIQUE INDEX notifications_of_user ON notifications (user_id, seq);
-- Serves the unread count and "mark all read".
CREATE INDEX notifications_unread ON notifications (user_id) WHERE NOT read;

-- Down Migration

DROP TABLE notifications;
DROP TABLE recipients;
