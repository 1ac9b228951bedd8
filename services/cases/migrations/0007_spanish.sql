-- Up Migration

SET lock_timeout = '5s';

-- The agency's own Spanish texts; null where it has none, and before this was kept.
ALTER TABLE case_snapshots
  ADD COLUMN status_es text,
  ADD COLUMN description_es text,
  -- Null without links.
  ADD COLUMN links_es jsonb,
  -- The observation that the Spanish texts are from. They are shown while it is the newest one: an older process, which
  -- does not know these columns, may store another status meanwhile.
  ADD COLUMN spanish_at timestamptz(3);

ALTER TABLE observations ADD COLUMN status_es text;

ALTER TABLE saved_cases
  ADD COLUMN last_known_status_es text,
  -- Likewise: shown while it is last_checked_at.
  ADD COLUMN spanish_at timestamptz(3);

-- Down Migration

ALTER TABLE saved_cases DROP COLUMN last_known_status_es, DROP COLUMN spanish_at;
ALTER TABLE observations DROP COLUMN status_es;
ALTER TABLE case_snapshots DROP COLUMN status_es, DROP COLUMN description_es, DROP COLUMN links_es, DROP COLUMN spanish_at;
