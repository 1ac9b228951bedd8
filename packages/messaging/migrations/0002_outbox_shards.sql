-- Up Migration
-- Without transaction

-- Relays share an outbox by the hash of the key: each shard is relayed by one of them, and read from its oldest
-- pending event. The expression is that of `loadWaiting`. What an interrupted build left behind is built again.
DROP INDEX CONCURRENTLY IF EXISTS outbox_shard_waiting;
CREATE INDEX CONCURRENTLY outbox_shard_waiting ON outbox ((hashtextextended(key, 0) & 7), seq) WHERE done_at IS NULL;

-- A commit that notifies waits for all others that do. Relays poll instead; those of the release before sweep every 5 s.
SET lock_timeout = '5s';
DROP TRIGGER IF EXISTS outbox_wakes_relay ON outbox;
DROP FUNCTION IF EXISTS wake_relay();
SET lock_timeout = 0;
