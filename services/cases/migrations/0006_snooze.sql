-- Up Migration

SET lock_timeout = '5s';

-- Until when alerts about the case wait, except those that need action. It is checked as before.
ALTER TABLE saved_cases ADD COLUMN snoozed_until timestamptz(3);

-- Down Migration

ALTER TABLE saved_cases DROP COLUMN snoozed_until;
