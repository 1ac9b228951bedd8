-- Up Migration

-- Lookups, one partition a month (UTC) of their end. What is paged through stays narrow: texts have a table of their own.
CREATE TABLE calls (
  -- When the lookup ended.
  created_at timestamptz(3) NOT NULL,
  id uuid NOT NULL,
  receipt_number text COLLATE "C" NOT NULL,
  -- Null for scheduled checks and for users whose account is deleted.
  user_id uuid,
  -- As it was at the time of the lookup; null together with the user.
  user_first_name text,
  -- The first name in lower case, for the search by its beginning.
  name_key text COLLATE "C",
  source text NOT NULL CHECK (source IN ('user', 'monitor')),
  -- Of the last call; null when no answer came, or no call was made.
  status_code integer,
  success boolean NOT NULL,
  duration_ms integer NOT NULL,
  queue_ms integer NOT NULL,
  agency_ms integer NOT NULL,
  agency_calls smallint NOT NULL,
  outcome text NOT NULL,
  cause text,
  code text,
  request_id uuid,
  trace_id text COLLATE "C",
  tier text,
  origin text,
  served_stale boolean NOT NULL,
  -- Of the last call's text in `payloads`; null without a call.
  payload_hash bytea,
  -- The calls before the last one, their texts by hash; null where there was one at most.
  earlier_calls jsonb,
  -- The order of every list; the rest lets a filter be counted without a look at the row.
  PRIMARY KEY (created_at, id) INCLUDE (source, success, status_code, receipt_number)
) PARTITION BY RANGE (created_at);

CREATE INDEX calls_of_users ON calls (created_at, id) INCLUDE (name_key, user_id, success, status_code) WHERE source = 'user';
CREATE INDEX calls_of_checks ON calls (created_at, id) INCLUDE (success, status_code) WHERE source = 'monitor';
CREATE INDEX calls_of_status ON calls (status_code, created_at, id) WHERE status_code <> 200;
CREATE INDEX calls_of_user ON calls (user_id, created_at, id) INCLUDE (success, status_code) WHERE user_id IS NOT NULL;
-- With `calls_of_users`, two for the beginning of a name: where few calls fit they are looked up and sorted, where many do they are met
-- soon enough in the order of time. Likewise with the primary key for that of a receipt number.
CREATE INDEX calls_of_name ON calls (name_key, created_at, id) INCLUDE (success, status_code) WHERE source = 'user';
CREATE INDEX calls_of_receipt ON calls (receipt_number, created_at, id);
-- What is answered or stored is most of the log: it is met soon enough in the order of time.
CREATE INDEX calls_of_outcome ON calls (outcome, created_at, id) WHERE outcome NOT IN ('answered', 'stored');
CREATE INDEX calls_of_cause ON calls (cause, created_at, id) WHERE cause IS NOT NULL;
CREATE INDEX calls_of_code ON calls (code, created_at, id) WHERE code IS NOT NULL;
CREATE INDEX calls_of_origin ON calls (origin, created_at, id) WHERE origin IN ('bulk', 'check-now', 'demonstration');
CREATE INDEX calls_of_request ON calls (request_id, created_at, id) WHERE request_id IS NOT NULL;
CREATE INDEX calls_of_trace ON calls (trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX calls_slow ON calls (created_at, id) INCLUDE (duration_ms) WHERE duration_ms >= 1000;
-- Searches among failures, about one row in twenty, are counted from these indexes alone.
CREATE INDEX calls_failures ON calls (created_at, id)
  INCLUDE (receipt_number, source, status_code, outcome, cause, code, tier, origin, duration_ms) WHERE NOT success;
CREATE INDEX calls_failures_of_receipt ON calls (receipt_number, created_at, id) WHERE NOT success;
CREATE INDEX calls_unusual ON calls (created_at, id)
  INCLUDE (source, success, status_code, outcome, cause, code, tier, origin, duration_ms)
  WHERE outcome NOT IN ('answered', 'stored');

-- What the agency answered, each text once. It goes some days after the last lookup that it belongs to stops showing it.
CREATE TABLE payloads (
  -- The SHA-256 of the text.
  hash bytea PRIMARY KEY,
  text text NOT NULL,
  -- The day (UTC) of the last lookup that got it.
  last_seen date NOT NULL
);
CREATE INDEX payloads_last_seen ON payloads (last_seen);

-- How many calls of a kind began in an hour and in a day (UTC): what totals and the way to a page far back are
-- read from. Written with the calls, in the same statement.
CREATE TABLE call_counts (
  grain text NOT NULL CHECK (grain IN ('hour', 'day')),
  bucket timestamptz(3) NOT NULL,
  source text NOT NULL,
  success boolean NOT NULL,
  -- 0 when no answer came.
  status_code integer NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (grain, bucket, source, success, status_code)
) WITH (fillfactor = 50);

-- How long the calls of an hour took, in steps of two significant digits.
CREATE TABLE call_durations (
  hour timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (hour, duration_ms)
) WITH (fillfactor = 50);

-- What came of the lookups, every ten minutes, for eight days: the agency's health and whose errors they were.
CREATE TABLE outcome_counts (
  bucket timestamptz(3) NOT NULL,
  outcome text NOT NULL,
  lookups bigint NOT NULL,
  agency_calls bigint NOT NULL,
  PRIMARY KEY (bucket, outcome)
) WITH (fillfactor = 50);

-- About how often a receipt number was looked up in a day (UTC), for eight days: which of them the overview counts.
CREATE TABLE receipt_counts (
  day timestamptz(3) NOT NULL,
  receipt_number text NOT NULL,
  lookups bigint NOT NULL,
  PRIMARY KEY (day, receipt_number)
);

CREATE INDEX receipt_counts_top ON receipt_counts (day, lookups DESC);

-- Named addresses of the log, of one administrator each.
CREATE TABLE log_views (
  id uuid PRIMARY KEY,
  administrator_id uuid NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  UNIQUE (administrator_id, name)
);

-- Users whose account is deleted: a late event must not bring their id or name back.
CREATE TABLE deleted_users (
  user_id uuid PRIMARY KEY,
  deleted_at timestamptz(3) NOT NULL
);

-- The service's role may not change tables. These two functions are all it can do to the partitions: add that of a month, and drop
-- those before a month.
CREATE FUNCTION ensure_log_month(month date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, admin_log, pg_temp AS $$
DECLARE
  first date := make_date(extract(year FROM month)::int, extract(month FROM month)::int, 1);
  next date := (first + interval '1 month')::date;
  part text := 'calls' || to_char(first, '"_"YYYY"_"MM');
BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE relnamespace = 'admin_log'::regnamespace AND relname = part) THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('admin_log months', 0));
  -- Asked of the table itself: to_regclass may remember from before the lock that there was nothing.
  IF EXISTS (SELECT FROM pg_class WHERE relnamespace = 'admin_log'::regnamespace AND relname = part) THEN
    RETURN;
  END IF;
  -- Attaching, unlike PARTITION OF, lets others read and write the table at the same time.
  EXECUTE format(
    'CREATE TABLE admin_log.%I (LIKE admin_log.calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
     WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)', part);
  EXECUTE format('ALTER TABLE admin_log.calls ATTACH PARTITION admin_log.%I FOR VALUES FROM (%L) TO (%L)',
    part, first || ' 00:00:00+00', next || ' 00:00:00+00');
END
$$;

-- Returns the names of what was dropped. Fails soon where the table is in use.
CREATE FUNCTION drop_log_months(before date) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, admin_log, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
  part text;
  dropped text[] := '{}';
BEGIN
  FOR part IN
    SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'admin_log.calls'::regclass AND relname < 'calls' || to_char(before, '"_"YYYY"_"MM')
    ORDER BY relname
  LOOP
    EXECUTE format('DROP TABLE admin_log.%I', part);
    dropped := dropped || part;
  END LOOP;
  RETURN dropped;
END
$$;

REVOKE ALL ON FUNCTION ensure_log_month(date), drop_log_months(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_log_month(date), drop_log_months(date) TO casewatch_admin_log;

CREATE TABLE audit_entries (
  -- The id of the event.
  id uuid PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  action text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  success boolean NOT NULL,
  session_id text,
  address text,
  details jsonb NOT NULL,
  actor text,
  actor_id text,
  role text,
  seq bigint NOT NULL,
  -- SHA-256 of the hash before and the entry, hex.
  hash text NOT NULL
);

CREATE INDEX audit_entries_newest ON audit_entries (at DESC, id DESC);
CREATE UNIQUE INDEX audit_entries_seq ON audit_entries (seq);

-- One row. The anchor is the newest entry that retention has removed; the chain goes from there to the head.
CREATE TABLE audit_chain (
  only_row boolean PRIMARY KEY CHECK (only_row),
  anchor_seq bigint NOT NULL,
  anchor_hash text NOT NULL,
  head_seq bigint NOT NULL,
  head_hash text NOT NULL
);
INSERT INTO audit_chain VALUES (true, 0, repeat('0', 64), 0, repeat('0', 64));

-- A text with its length in bytes before it, so that no two entries look the same.
CREATE FUNCTION audit_field(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-') || ','
$$;

-- The same bytes as `domain/audit-chain.ts` makes of an entry.
CREATE FUNCTION audit_hash(previous text, entry audit_entries) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, admin_log, pg_temp AS $$
  SELECT encode(sha256(convert_to(concat(
    audit_field(previous), audit_field(entry.seq::text), audit_field(entry.id::text),
    audit_field(to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    audit_field(entry.actor), audit_field(entry.actor_id), audit_field(entry.role), audit_field(entry.action),
    audit_field(entry.subject), audit_field(entry.success::text), audit_field(entry.session_id),
    audit_field(entry.address),
    (SELECT string_agg(audit_field(key) || audit_field(value), '' ORDER BY key COLLATE "C")
     FROM jsonb_each_text(entry.details))), 'UTF8')), 'hex')
$$;

-- Every writer waits for the one before: the row of the chain is the queue.
CREATE FUNCTION chain_audit_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, admin_log, pg_temp AS $$
DECLARE
  head audit_chain;
BEGIN
  SELECT * INTO head FROM audit_chain FOR UPDATE;
  -- Delivered again: it has its place already.
  IF EXISTS (SELECT FROM audit_entries WHERE id = NEW.id) THEN
    RETURN NULL;
  END IF;
  NEW.seq := head.head_seq + 1;
  NEW.hash := audit_hash(head.head_hash, NEW);
  UPDATE audit_chain SET head_seq = NEW.seq, head_hash = NEW.hash;
  RETURN NEW;
END
$$;
CREATE TRIGGER chain_audit_entry BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();

-- Retention removes the oldest entries only, and the anchor moves with it.
CREATE FUNCTION anchor_audit_chain() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, admin_log, pg_temp AS $$
DECLARE
  chain audit_chain;
  first bigint;
  last bigint;
  removed bigint;
BEGIN
  SELECT min(seq), max(seq), count(seq) INTO first, last, removed FROM removed_entries;
  IF removed = 0 THEN
    RETURN NULL;
  END IF;
  SELECT * INTO chain FROM audit_chain FOR UPDATE;
  IF first <> chain.anchor_seq + 1 OR last - first + 1 <> removed THEN
    RAISE EXCEPTION 'only the oldest entries of the audit trail can be removed';
  END IF;
  UPDATE audit_chain SET anchor_seq = last, anchor_hash = (SELECT hash FROM removed_entries WHERE seq = last);
  RETURN NULL;
END
$$;
CREATE TRIGGER anchor_audit_chain AFTER DELETE ON audit_entries
  REFERENCING OLD TABLE AS removed_entries FOR EACH STATEMENT EXECUTE FUNCTION anchor_audit_chain();

-- The service's role is granted changes of every table, so that these two are refused by name.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user = 'casewatch_admin_log' THEN
    RAISE EXCEPTION 'the audit trail can''t be changed';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER refuse_audit_change BEFORE UPDATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER refuse_audit_change BEFORE INSERT OR UPDATE OR DELETE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
