-- Up Migration
-- Without transaction

-- Each publish pays for an index. The oldest pending event is the oldest of the shards' heads, in `outbox_shard_waiting`.
DROP INDEX CONCURRENTLY IF EXISTS outbox_waiting;
