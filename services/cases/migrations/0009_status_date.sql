-- Up Migration

SET lock_timeout = '5s';

-- The agency's own date of the status, as it writes it. status_changed_at has it as if it were GMT, which puts cases in order but
-- is another day for many readers. Null: it gave none. Shown while status_changed_at is from it: an older process, which does
-- not know this column, may store another status meanwhile.
ALTER TABLE saved_cases ADD COLUMN status_date text;

UPDATE saved_cases AS saved SET status_date = stored.status_date
FROM case_snapshots AS stored
WHERE stored.receipt_number = saved.receipt_number AND stored.status_date IS NOT NULL
  AND stored.status_at = saved.status_changed_at;

-- Down Migration

ALTER TABLE saved_cases DROP COLUMN status_date;
