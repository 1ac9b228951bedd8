-- Up Migration

SET lock_timeout = '5s';

-- Cases that were archived before the archive paused monitoring are still checked: their watches end by the event that archiving
-- publishes. The rows are locked in the order of observations, so that a case that leaves the archive meanwhile publishes later.
CREATE TEMPORARY TABLE archived_watches ON COMMIT DROP AS
SELECT receipt_number, user_id FROM saved_cases
WHERE archived_at IS NOT NULL AND monitoring_frequency <> 'none' AND monitoring_paused_at IS NULL
ORDER BY receipt_number, id FOR NO KEY UPDATE;

-- As for any publish of that many: the events of a key are numbered in the order of their commits.
LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE;

-- Ids are UUIDv7: inboxes tell by them when an event was published.
WITH event AS MATERIALIZED (
  SELECT receipt_number, user_id, moment,
    overlay(gen_random_uuid()::text PLACING left(milliseconds, 8) || '-' || right(milliseconds, 4) || '-7' FROM 1)::uuid AS id
  FROM archived_watches,
    date_trunc('milliseconds', clock_timestamp()) AS moment,
    lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') AS milliseconds
)
INSERT INTO outbox (topic, key, id, payload, headers, created_at)
SELECT 'case-watch-changed', receipt_number, id,
  jsonb_build_object('receiptNumber', receipt_number, 'userId', user_id, 'frequency', 'none'),
  jsonb_build_object(
    'ce_id', id, 'ce_source', '/casewatch/cases', 'ce_specversion', '1.0', 'ce_type', 'casewatch.events.v1.CaseWatchChanged',
    'ce_time', to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'content-type', 'application/json'),
  moment
FROM event ORDER BY receipt_number, user_id;

-- Down Migration

-- Nothing: a watch begins again when its case leaves the archive.
