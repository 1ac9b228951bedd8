-- Up Migration

SET lock_timeout = '5s';

-- The agency's own date of the status, as it writes it. status_changed_at has it as if it were GMT, which puts cases in order but
-- is another day for many readers. Null: it gave none, or the case has not been checked since. Shown while
-- status_changed_at is from it: an older process, which does not know this column, may store another status meanwhile.
ALTER TABLE saved_cases ADD COLUMN status_date text;

-- Down Migration

ALTER TABLE saved_cases DROP COLUMN status_date;
