-- Up Migration

-- Calls of the agency, one partition a month (UTC). Payloads and receipt numbers lie in tables of their own: what
-- is paged through stays narrow, payloads go sooner than their calls, and a call is found by any of its numbers.
CREATE TABLE calls (
  created_at timestamptz(3) NOT NULL,
  id uuid NOT NULL,
  endpoint text NOT NULL,
  receipt_numbers text[] NOT NULL,
  -- Null for scheduled checks and for users whose account is gone.
  user_id uuid,
  -- As it was at the time of the call; null together with the user.
  user_first_name text,
  -- The first name in lower case, for the search by its beginning.
  name_key text COLLATE "C",
  source text NOT NULL CHECK (source IN ('user', 'monitor')),
  -- Null when no answer came.
  status_code integer,
  success boolean NOT NULL,
  duration_ms integer NOT NULL,
  -- The order of every list; the rest lets a filter be counted without a look at the row.
  PRIMARY KEY (created_at, id) INCLUDE (source, success, status_code)
) PARTITION BY RANGE (created_at);

CREATE INDEX calls_of_source ON calls (source, created_at, id);
CREATE INDEX calls_failed ON calls (created_at, id) WHERE NOT success;
CREATE INDEX calls_of_status ON calls (status_code, created_at, id) WHERE status_code <> 200;
CREATE INDEX calls_of_user ON calls (user_id, created_at, id) INCLUDE (success, status_code) WHERE user_id IS NOT NULL;
-- Two for the beginning of a name: where few calls fit they are looked up and sorted, where many do they are met
-- soon enough in the order of time.
CREATE INDEX calls_of_name ON calls (name_key, created_at, id) INCLUDE (success, status_code) WHERE name_key IS NOT NULL;
CREATE INDEX calls_with_name ON calls (created_at, id) INCLUDE (name_key, success, status_code) WHERE name_key IS NOT NULL;

CREATE TABLE call_payloads (
  created_at timestamptz(3) NOT NULL,
  id uuid NOT NULL,
  request jsonb NOT NULL,
  response text NOT NULL,
  PRIMARY KEY (created_at, id)
) PARTITION BY RANGE (created_at);

CREATE TABLE call_receipts (
  receipt_number text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  id uuid NOT NULL,
  PRIMARY KEY (receipt_number, created_at, id)
) PARTITION BY RANGE (created_at);

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

-- Users whose account is gone: a late event must not bring their id or name back.
CREATE TABLE deleted_users (
  user_id uuid PRIMARY KEY,
  deleted_at timestamptz(3) NOT NULL
);

CREATE TABLE audit_entries (
  -- The id of the event.
  id uuid PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  action text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  success boolean NOT NULL,
  session_id text,
  address text,
  details jsonb NOT NULL
);
CREATE INDEX audit_entries_newest ON audit_entries (at DESC, id DESC);

-- The service's role may not change tables. These two functions are all it can do to the partitions: add those of
-- a month, and drop those of a table of the log that lie before a month.
CREATE FUNCTION ensure_log_month(month date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, admin_log, pg_temp AS $$
DECLARE
  family text;
  part text;
  first date := make_date(extract(year FROM month)::int, extract(month FROM month)::int, 1);
  next date := (first + interval '1 month')::date;
BEGIN
  FOREACH family IN ARRAY ARRAY['calls', 'call_receipts', 'call_payloads'] LOOP
    part := family || to_char(first, '"_"YYYY"_"MM');
    CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relnamespace = 'admin_log'::regnamespace AND relname = part);
    PERFORM pg_advisory_xact_lock(hashtextextended('admin_log months', 0));
    -- Asked of the table itself: to_regclass may remember from before the lock that there was nothing.
    CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relnamespace = 'admin_log'::regnamespace AND relname = part);
    -- Attaching, unlike PARTITION OF, lets others read and write the table meanwhile.
    EXECUTE format(
      'CREATE TABLE admin_log.%I (LIKE admin_log.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
       WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)', part, family);
    EXECUTE format('ALTER TABLE admin_log.%I ATTACH PARTITION admin_log.%I FOR VALUES FROM (%L) TO (%L)',
      family, part, first || ' 00:00:00+00', next || ' 00:00:00+00');
  END LOOP;
END
$$;

-- Returns the names of what was dropped. Gives up soon where somebody is at work on the table.
CREATE FUNCTION drop_log_months(family text, before date) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, admin_log, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
  part text;
  dropped text[] := '{}';
BEGIN
  IF family NOT IN ('calls', 'call_receipts', 'call_payloads') THEN
    RAISE EXCEPTION '% is no table of the log', family;
  END IF;
  FOR part IN
    SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = to_regclass(format('admin_log.%I', family)) AND relname < family || to_char(before, '"_"YYYY"_"MM')
    ORDER BY relname
  LOOP
    EXECUTE format('DROP TABLE admin_log.%I', part);
    dropped := dropped || part;
  END LOOP;
  RETURN dropped;
END
$$;

REVOKE ALL ON FUNCTION ensure_log_month(date), drop_log_months(text, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_log_month(date), drop_log_months(text, date) TO casewatch_admin_log;

-- Down Migration

DROP FUNCTION drop_log_months(text, date);
DROP FUNCTION ensure_log_month(date);
DROP TABLE audit_entries, deleted_users, call_durations, call_counts, call_receipts, call_payloads, calls;
