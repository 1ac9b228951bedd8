-- Up Migration

-- When the owner last chose another frequency; null: never, or before this was kept.
ALTER TABLE saved_cases ADD COLUMN frequency_set_at timestamptz(3);

-- Down Migration

ALTER TABLE saved_cases DROP COLUMN frequency_set_at;
