-- Up Migration
-- Without transaction

-- Serve the removal of digests that are older than the notifications that are kept. What an interrupted build left behind is
-- built again.
DROP INDEX CONCURRENTLY IF EXISTS digests_settled;
CREATE INDEX CONCURRENTLY digests_settled ON digests (queued_at) WHERE state <> 'queued';
DROP INDEX CONCURRENTLY IF EXISTS push_digests_settled;
CREATE INDEX CONCURRENTLY push_digests_settled ON push_digests (queued_at) WHERE state <> 'queued';

-- Down Migration

DROP INDEX push_digests_settled;
DROP INDEX digests_settled;
