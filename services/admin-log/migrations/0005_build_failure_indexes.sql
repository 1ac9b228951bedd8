-- Up Migration
-- Without transaction

SET lock_timeout = '5s';
CALL build_log_index('calls_failures');
CALL build_log_index('calls_unusual');
CALL build_log_index('calls_failures_of_receipt');
CALL build_log_index('calls_failures_of_receipts');
DROP INDEX IF EXISTS calls_failed;
SET lock_timeout = 0;

-- Down Migration

CREATE INDEX calls_failed ON calls (created_at, id) WHERE NOT success;
