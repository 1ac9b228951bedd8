-- Up Migration

SET lock_timeout = '5s';

ALTER TABLE saved_cases
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
  ADD COLUMN archived_at timestamptz(3),
  -- What the newest observation said, like last_known_status; kept here so that a user's cases are sorted by an index.
  ADD COLUMN form_type text,
  ADD COLUMN status_changed_at timestamptz(3);

UPDATE saved_cases AS saved SET form_type = stored.form_type, status_changed_at = stored.status_at
FROM case_snapshots AS stored
WHERE stored.receipt_number = saved.receipt_number AND stored.observed_at IS NOT NULL;

-- A page in each order, and the filters by what is sorted by. None holds last_checked_at: a check that finds nothing new
-- then changes no index.
CREATE INDEX saved_cases_user_nickname ON saved_cases (user_id, lower(coalesce(nickname, '')), id);
CREATE INDEX saved_cases_user_status ON saved_cases (user_id, coalesce(last_known_status, ''), id);
CREATE INDEX saved_cases_user_form ON saved_cases (user_id, coalesce(form_type, ''), id);
CREATE INDEX saved_cases_user_changed ON saved_cases (user_id, coalesce(status_changed_at, '-infinity'), id);
CREATE INDEX saved_cases_user_monitoring ON saved_cases (user_id, monitoring_frequency, id);

-- What a restore brings back. A table of its own, so that no query of the saved cases can forget to leave these out.
CREATE TABLE removed_cases (
  user_id uuid NOT NULL,
  receipt_number text NOT NULL CHECK (receipt_number ~ '^[A-Z]{3}[0-9]{10}$'),
  nickname text,
  tags text[] NOT NULL,
  monitoring_frequency text NOT NULL CHECK (monitoring_frequency IN ('none', 'daily', 'weekly', 'monthly')),
  archived_at timestamptz(3),
  last_known_status text,
  created_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, receipt_number)
);

CREATE INDEX removed_cases_user_removed ON removed_cases (user_id, removed_at DESC, receipt_number);
-- Those whose time is over.
CREATE INDEX removed_cases_removed ON removed_cases (removed_at);

-- Down Migration

DROP TABLE removed_cases;
DROP INDEX saved_cases_user_nickname, saved_cases_user_status, saved_cases_user_form, saved_cases_user_changed,
  saved_cases_user_monitoring;
ALTER TABLE saved_cases DROP COLUMN tags, DROP COLUMN archived_at, DROP COLUMN form_type, DROP COLUMN status_changed_at;
