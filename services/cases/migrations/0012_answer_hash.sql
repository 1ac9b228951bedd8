-- Up Migration

SET lock_timeout = '5s';

-- A check recognizes the text that it got the last time, without reading it again.
ALTER TABLE case_snapshots
  -- Of that text and of `facts_hash`: a process that does not know this column may have stored other facts.
  ADD COLUMN answer_hash text,
  -- The row of the request log that has the text, of a scheduled check.
  ADD COLUMN answer_call_id uuid,
  ADD COLUMN answer_logged_at timestamptz(3);

-- Down Migration

ALTER TABLE case_snapshots DROP COLUMN answer_hash, DROP COLUMN answer_call_id, DROP COLUMN answer_logged_at;
