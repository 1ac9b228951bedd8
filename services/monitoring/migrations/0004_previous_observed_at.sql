-- Up Migration

SET lock_timeout = '5s';

-- When the status before the last change was last observed. Null: a version that does not keep it recorded the change.
ALTER TABLE watches ADD COLUMN previous_observed_at timestamptz(3);

-- Down Migration

ALTER TABLE watches DROP COLUMN previous_observed_at;
