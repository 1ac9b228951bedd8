-- Up Migration

SET lock_timeout = '5s';

-- What the watch knew when the user last stopped watching: every change up to that observation has been published for
-- the user. Null: the watch knew no status, or a version that does not keep it handled the end.
ALTER TABLE watchers
  ADD COLUMN last_status text,
  ADD COLUMN status_observed_at timestamptz(3);

-- Down Migration

ALTER TABLE watchers DROP COLUMN last_status, DROP COLUMN status_observed_at;
