-- Up Migration

SET lock_timeout = '5s';

-- A restore brings the snooze back, too. Null: none, or removed by a version that did not keep it.
ALTER TABLE removed_cases ADD COLUMN snoozed_until timestamptz(3);

-- Down Migration

ALTER TABLE removed_cases DROP COLUMN snoozed_until;
