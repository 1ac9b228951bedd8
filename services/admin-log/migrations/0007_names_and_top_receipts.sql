-- Up Migration
-- Without transaction

SET lock_timeout = '5s';

-- A search for a user by any name is a first name or one of the users that identity found: both are read from this index
-- alone, in the order of time. Replaces `calls_with_name`, which held no user.
CREATE INDEX IF NOT EXISTS calls_with_user ON ONLY calls (created_at, id)
  INCLUDE (name_key, user_id, success, status_code) WHERE name_key IS NOT NULL OR user_id IS NOT NULL;
CALL build_log_index('calls_with_user');
DROP INDEX IF EXISTS calls_with_name;

-- About how often a receipt number was looked up in a day (UTC), for eight days: which of them the overview counts. An
-- older version's lookups are missing during an upgrade.
CREATE TABLE IF NOT EXISTS receipt_counts (
  day timestamptz(3) NOT NULL,
  receipt_number text NOT NULL,
  lookups bigint NOT NULL,
  PRIMARY KEY (day, receipt_number)
);
CREATE INDEX IF NOT EXISTS receipt_counts_top ON receipt_counts (day, lookups DESC);
INSERT INTO receipt_counts
SELECT date_trunc('day', created_at, 'UTC'), receipt_number, count(*) FROM call_receipts
WHERE created_at >= date_trunc('day', now(), 'UTC') - interval '1 day' GROUP BY 1, 2
ON CONFLICT DO NOTHING;
SET lock_timeout = 0;

-- Down Migration

DROP TABLE receipt_counts;
CREATE INDEX calls_with_name ON calls (created_at, id) INCLUDE (name_key, success, status_code) WHERE name_key IS NOT NULL;
DROP INDEX calls_with_user;
