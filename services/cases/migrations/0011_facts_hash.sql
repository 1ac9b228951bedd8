-- Up Migration

SET lock_timeout = '5s';

-- An answer with the same hash says what is stored, history included: only the times of its rows are then written.
ALTER TABLE case_snapshots
  ADD COLUMN facts_hash text,
  -- The observation that the hash is of. It counts while it is the newest one: an older process, which does not know these
  -- columns, may store another answer meanwhile.
  ADD COLUMN facts_at timestamptz(3);

-- Down Migration

ALTER TABLE case_snapshots DROP COLUMN facts_hash, DROP COLUMN facts_at;
