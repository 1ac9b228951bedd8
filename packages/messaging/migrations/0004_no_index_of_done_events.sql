-- Up Migration
-- Without transaction

-- Each publish opens every index of the table, and each mark wrote to this one. What was done long ago is among the oldest events.
DROP INDEX CONCURRENTLY IF EXISTS outbox_done;
