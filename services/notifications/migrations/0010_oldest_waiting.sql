-- Up Migration
-- Without transaction

-- The levels of what waits to be sent are read from the heads of these, however much has been sent. What an interrupted build
-- left behind is built again.
DROP INDEX CONCURRENTLY IF EXISTS account_deliveries_waiting;
CREATE INDEX CONCURRENTLY account_deliveries_waiting ON account_deliveries (queued_at) WHERE state = 'queued';
DROP INDEX CONCURRENTLY IF EXISTS digests_queued;
CREATE INDEX CONCURRENTLY digests_queued ON digests (queued_at) WHERE state = 'queued';
DROP INDEX CONCURRENTLY IF EXISTS push_digests_queued;
CREATE INDEX CONCURRENTLY push_digests_queued ON push_digests (queued_at) WHERE state = 'queued';

-- Down Migration

DROP INDEX push_digests_queued;
DROP INDEX digests_queued;
DROP INDEX account_deliveries_waiting;
