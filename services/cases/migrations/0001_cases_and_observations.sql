-- Up Migration

-- The newest answer of the agency per receipt number, positive or negative. One row read answers a look-up.
CREATE TABLE case_snapshots (
  receipt_number text PRIMARY KEY CHECK (receipt_number ~ '^[A-Z]{3}[0-9]{10}$'),
  -- Null as long as the agency never recognised the number; then none of the facts below is known.
  observed_at timestamptz(3),
  -- When the agency last said "not recognised"; null again as soon as it recognises the number.
  not_recognised_at timestamptz(3),
  status text,
  -- Since when the case has this status: the agency's date, else our first observation of it.
  status_at timestamptz(3),
  -- The same as the agency writes it; null when it gives no date.
  status_date text,
  description text,
  links jsonb,
  form_type text,
  petition_type text,
  substatus text,
  channel_type text,
  submitted_date text,
  modified_date text,
  CHECK (observed_at IS NOT NULL OR not_recognised_at IS NOT NULL),
  CHECK ((observed_at IS NULL) = (status IS NULL) AND (observed_at IS NULL) = (status_at IS NULL))
) WITH (fillfactor = 85);

-- Every status a case was ever in, as the agency's history says or as we saw it ourselves. Grows beyond what the
-- agency returns: rows are never removed.
CREATE TABLE observations (
  receipt_number text NOT NULL,
  status text NOT NULL,
  status_at timestamptz(3) NOT NULL,
  status_date text,
  source text NOT NULL CHECK (source IN ('agency-history', 'observed')),
  -- Plain text; null for what only the agency's history says.
  description text,
  first_observed_at timestamptz(3) NOT NULL,
  last_observed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (receipt_number, status, status_at)
) WITH (fillfactor = 85);

CREATE TABLE saved_cases (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  receipt_number text NOT NULL CHECK (receipt_number ~ '^[A-Z]{3}[0-9]{10}$'),
  nickname text,
  monitoring_frequency text NOT NULL DEFAULT 'none'
    CHECK (monitoring_frequency IN ('none', 'daily', 'weekly', 'monthly')),
  -- What the newest observation said when it was stored; filled at saving, moved by every observation.
  last_checked_at timestamptz(3),
  last_known_status text,
  created_at timestamptz(3) NOT NULL
) WITH (fillfactor = 85);

-- A user holds a receipt number once; also finds one case of one user.
CREATE UNIQUE INDEX saved_cases_user_receipt ON saved_cases (user_id, receipt_number);
-- The list, newest first, without a sort.
CREATE INDEX saved_cases_user_created ON saved_cases (user_id, created_at DESC, id DESC);
-- Everyone who saved a receipt number.
CREATE INDEX saved_cases_receipt ON saved_cases (receipt_number);

-- Users whose account is gone: a late request or event must not bring their data back.
CREATE TABLE deleted_users (
  user_id uuid PRIMARY KEY,
  deleted_at timestamptz(3) NOT NULL
);

-- Calls of the agency that were reserved on a day (GMT), so that a restart does not double the day's quota.
CREATE TABLE agency_budget_days (
  day date PRIMARY KEY,
  calls integer NOT NULL CHECK (calls >= 0)
) WITH (fillfactor = 50);

-- Down Migration

DROP TABLE agency_budget_days;
DROP TABLE deleted_users;
DROP TABLE saved_cases;
DROP TABLE observations;
DROP TABLE case_snapshots;
