-- Up Migration

-- A row is a lookup now, with or without calls. All is null in rows from before, and in those that an older publisher
-- causes during an upgrade: such a row is one call.
--
-- New columns have no default, so no row is rewritten. The indexes are partial on new columns, which are null in every
-- stored row, so that building them only reads; `call_receipts_newest` and `calls_slow` hold old rows too. Their locks
-- keep the consumer from writing (about a second per million rows), never administrators from reading; events wait in
-- the outbox or the topic meanwhile.
SET lock_timeout = '5s';

ALTER TABLE calls
  ADD COLUMN outcome text,
  ADD COLUMN cause text,
  ADD COLUMN code text,
  ADD COLUMN queue_ms integer,
  ADD COLUMN agency_ms integer,
  ADD COLUMN agency_calls smallint,
  ADD COLUMN request_id uuid,
  ADD COLUMN trace_id text COLLATE "C",
  ADD COLUMN tier text,
  ADD COLUMN origin text,
  ADD COLUMN served_stale boolean;

-- The calls before the last one: null where there was one at most.
ALTER TABLE call_payloads ADD COLUMN earlier_calls jsonb;

-- What is answered or stored is most of the log: it is met soon enough in the order of time.
CREATE INDEX calls_of_outcome ON calls (outcome, created_at, id) WHERE outcome NOT IN ('answered', 'stored');
CREATE INDEX calls_of_cause ON calls (cause, created_at, id) WHERE cause IS NOT NULL;
CREATE INDEX calls_of_code ON calls (code, created_at, id) WHERE code IS NOT NULL;
CREATE INDEX calls_of_origin ON calls (origin, created_at, id) WHERE origin IN ('bulk', 'check-now');
CREATE INDEX calls_of_request ON calls (request_id, created_at, id) WHERE request_id IS NOT NULL;
CREATE INDEX calls_of_trace ON calls (trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX calls_slow ON calls (created_at, id) INCLUDE (duration_ms) WHERE duration_ms >= 1000;

-- The beginning of a receipt number is looked up in the primary key where few fit, and met in the order of time where
-- many do; the most frequent receipt numbers of a day are counted from it.
CREATE INDEX call_receipts_newest ON call_receipts (created_at, id) INCLUDE (receipt_number);

-- What came of the lookups, every ten minutes, for eight days: the agency's health and whose errors they were.
CREATE TABLE outcome_counts (
  bucket timestamptz(3) NOT NULL,
  outcome text NOT NULL,
  lookups bigint NOT NULL,
  agency_calls bigint NOT NULL,
  PRIMARY KEY (bucket, outcome)
) WITH (fillfactor = 50);

-- Down Migration

DROP TABLE outcome_counts;
DROP INDEX call_receipts_newest, calls_slow, calls_of_trace, calls_of_request, calls_of_origin, calls_of_code,
  calls_of_cause, calls_of_outcome;
ALTER TABLE call_payloads DROP COLUMN earlier_calls;
ALTER TABLE calls DROP COLUMN outcome, DROP COLUMN cause, DROP COLUMN code, DROP COLUMN queue_ms,
  DROP COLUMN agency_ms, DROP COLUMN agency_calls, DROP COLUMN request_id, DROP COLUMN trace_id, DROP COLUMN tier,
  DROP COLUMN origin, DROP COLUMN served_stale;
