-- Up Migration
-- Without transaction

-- How far behind the provider the service is: read from the heads of these, however many customers and events there are. What
-- an interrupted build left behind is built again.
DROP INDEX CONCURRENTLY IF EXISTS provider_events_waiting;
CREATE INDEX CONCURRENTLY provider_events_waiting ON provider_events (received_at) WHERE done_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS customers_failed;
CREATE INDEX CONCURRENTLY customers_failed ON customers (failures DESC, due_at) WHERE due_at IS NOT NULL AND failures > 0;

-- Down Migration

DROP INDEX customers_failed;
DROP INDEX provider_events_waiting;
