-- Up Migration

-- What is checked: one row per receipt number that anybody watches.
CREATE TABLE watches (
  receipt_number text PRIMARY KEY CHECK (receipt_number ~ '^[A-Z]{3}[0-9]{10}$'),
  -- The shortest of its watchers' periods: 1 daily, 7 weekly, 30 monthly.
  period_days integer NOT NULL CHECK (period_days IN (1, 7, 30)),
  -- When it is due. Claiming pushes this forward: the pushed time is the lease, at whose end an unfinished claim is
  -- due again. A failure pushes it to the next try.
  next_check_at timestamptz(3) NOT NULL,
  -- While a claim or a failure has pushed `next_check_at`: since when the check is owed; else null.
  owed_since timestamptz(3),
  -- Failures in a row.
  attempts integer NOT NULL DEFAULT 0,
  -- Why the last check gave no status; null after one that did.
  last_failure text,
  -- When the agency last answered, with a status or without.
  last_checked_at timestamptz(3),
  -- The newest status, when it was observed, and whether nothing is expected to follow it.
  last_status text,
  status_observed_at timestamptz(3),
  terminal boolean NOT NULL DEFAULT false,
  -- The last change: from what, and when it was observed.
  previous_status text,
  changed_at timestamptz(3),
  CHECK (owed_since <= next_check_at),
  CHECK ((last_status IS NULL) = (status_observed_at IS NULL)),
  CHECK ((previous_status IS NULL) = (changed_at IS NULL))
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- Every watch is in one of the two, oldest first: a claim reads the head of each, however long they are.
CREATE INDEX watches_due ON watches (next_check_at) WHERE owed_since IS NULL;
CREATE INDEX watches_put_off ON watches (next_check_at) WHERE owed_since IS NOT NULL;

-- Who watches what, and how often.
CREATE TABLE watchers (
  user_id uuid NOT NULL,
  receipt_number text NOT NULL CHECK (receipt_number ~ '^[A-Z]{3}[0-9]{10}$'),
  -- Null: no longer. The row stays, so that an older event does not bring the watcher back.
  period_days integer CHECK (period_days IN (1, 7, 30)),
  -- Since when without a break; meaningless when it is no longer.
  since timestamptz(3) NOT NULL,
  -- When the event was published that the row is from.
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, receipt_number)
);

-- The watchers of a watch, and the shortest period among them.
CREATE INDEX watchers_of_watch ON watchers (receipt_number, period_days) WHERE period_days IS NOT NULL;

-- When a user was last known to be on the free plan: wishes older than that are void.
CREATE TABLE downgrades (
  user_id uuid PRIMARY KEY,
  downgraded_at timestamptz(3) NOT NULL
);

-- Users whose account is gone: a late event must not bring their watchers back.
CREATE TABLE deleted_users (
  user_id uuid PRIMARY KEY,
  deleted_at timestamptz(3) NOT NULL
);

-- Down Migration

DROP TABLE deleted_users;
DROP TABLE downgrades;
DROP TABLE watchers;
DROP TABLE watches;
