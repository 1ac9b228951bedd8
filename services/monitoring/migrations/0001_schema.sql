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
  -- The newest status, and the number of the call that was answered with it.
  last_status text,
  status_call bigint,
  -- Answers in a row without a status, of a case that had one.
  denials integer NOT NULL DEFAULT 0,
  CHECK (owed_since <= next_check_at),
  CHECK ((last_status IS NULL) = (status_call IS NULL))
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- Every watch is in one of the three, oldest first: a claim reads the head of each, however long they are. A case that the agency denies
-- is tried again with the rest, and is not late.
CREATE INDEX watches_due ON watches (next_check_at) WHERE owed_since IS NULL;
CREATE INDEX watches_put_off ON watches (next_check_at) WHERE owed_since IS NOT NULL AND denials = 0;
CREATE INDEX watches_denied ON watches (next_check_at) WHERE owed_since IS NOT NULL AND denials > 0;
-- The check that has been owed longest is read from its head, whatever number of claims has failed.
CREATE INDEX watches_owed ON watches (owed_since) WHERE owed_since IS NOT NULL AND denials = 0;

-- Who watches what, and how often.
CREATE TABLE watchers (
  user_id uuid NOT NULL,
  receipt_number text NOT NULL CHECK (receipt_number ~ '^[A-Z]{3}[0-9]{10}$'),
  -- Null: no longer. The row stays, so that a late event does not bring the watcher back.
  period_days integer CHECK (period_days IN (1, 7, 30)),
  -- Of the last request, and of the one with which the user began to watch.
  version bigint NOT NULL DEFAULT 0,
  began bigint NOT NULL DEFAULT 0,
  -- What the user has seen last; without a status, whether the agency has answered so since the watch began.
  seen_status text,
  seen_call bigint NOT NULL DEFAULT 0,
  seen_none boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, receipt_number),
  CHECK (NOT seen_none OR seen_status IS NULL)
);

-- The watchers of a watch, and the shortest period among them.
CREATE INDEX watchers_of_watch ON watchers (receipt_number, period_days) WHERE period_days IS NOT NULL;

-- Users whose account is deleted: a late event must not bring their watchers back.
CREATE TABLE deleted_users (
  user_id uuid PRIMARY KEY,
  deleted_at timestamptz(3) NOT NULL
);
