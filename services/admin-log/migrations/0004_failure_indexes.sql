-- Up Migration

-- Searches among failures, about one row in twenty, are counted from these indexes alone. Only their definitions are made
-- here, so that no stored row is read: months that begin from now on have them, and 0005 builds them for the others.
SET lock_timeout = '5s';

-- Replaces `calls_failed`.
CREATE INDEX calls_failures ON ONLY calls (created_at, id)
  INCLUDE (receipt_numbers, source, status_code, outcome, cause, code, tier, origin, duration_ms) WHERE NOT success;
-- Also rows from before outcomes were kept: they fit every "not".
CREATE INDEX calls_unusual ON ONLY calls (created_at, id)
  INCLUDE (source, success, status_code, outcome, cause, code, tier, origin, duration_ms)
  WHERE (outcome IN ('answered', 'stored')) IS NOT TRUE;
-- The receipt numbers are stored a second time, since an index is not read alone for an expression.
CREATE INDEX calls_failures_of_receipt ON ONLY calls ((receipt_numbers[1]) COLLATE "C", created_at, id)
  INCLUDE (receipt_numbers) WHERE NOT success;
-- An event may name several receipt numbers; those of this version name one.
CREATE INDEX calls_failures_of_receipts ON ONLY calls (created_at, id) INCLUDE (receipt_numbers)
  WHERE NOT success AND cardinality(receipt_numbers) > 1;

-- Builds an index of a partitioned table month by month, each in a transaction of its own: the consumer waits for the
-- build of the month that it writes to at most (about a second per million rows), readers never. Can be repeated.
CREATE PROCEDURE build_log_index(wanted text)
LANGUAGE plpgsql AS $$
DECLARE
  parent record;
  part record;
  child text;
BEGIN
  SELECT indexrelid, indrelid, pg_get_indexdef(indexrelid) AS definition INTO STRICT parent
  FROM pg_index WHERE indexrelid = format('admin_log.%I', wanted)::regclass;
  FOR part IN
    SELECT oid, relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = parent.indrelid AND NOT EXISTS (
      SELECT FROM pg_inherits AS built JOIN pg_index ON pg_index.indexrelid = built.inhrelid
      WHERE built.inhparent = parent.indexrelid AND pg_index.indrelid = pg_class.oid)
    ORDER BY relname
  LOOP
    child := part.relname || replace(wanted, 'calls', '');
    EXECUTE regexp_replace(parent.definition, 'INDEX \S+ ON ONLY \S+',
      format('INDEX %I ON admin_log.%I', child, part.relname));
    EXECUTE format('ALTER INDEX admin_log.%I ATTACH PARTITION admin_log.%I', wanted, child);
    COMMIT;
  END LOOP;
END
$$;
REVOKE ALL ON PROCEDURE build_log_index(text) FROM PUBLIC;

-- Down Migration

DROP PROCEDURE build_log_index(text);
DROP INDEX calls_failures_of_receipts, calls_failures_of_receipt, calls_unusual, calls_failures;
