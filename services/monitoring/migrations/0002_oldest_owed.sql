-- Up Migration
-- Without transaction

-- The check that has been owed longest is read from its head, whatever number of claims has failed.
DROP INDEX CONCURRENTLY IF EXISTS watches_owed;
CREATE INDEX CONCURRENTLY watches_owed ON watches (owed_since) WHERE owed_since IS NOT NULL;

-- Down Migration

DROP INDEX watches_owed;
