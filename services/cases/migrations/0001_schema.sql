-- Up Migration

-- The newest answer of the agency per receipt number, positive or negative. One row read answers a lookup.
CREATE TABLE case_snapshots (
  receipt_number text PRIMARY KEY CHECK (receipt_number ~ '^[A-Z]{3}[0-9]{10}$'),
  -- Null as long as the agency never recognized the number; then none of the facts below is known.
  observed_at timestamptz(3),
  -- When the agency last answered "not recognized"; null again as soon as it recognizes the number.
  not_recognized_at timestamptz(3),
  -- What it said then, as plain text.
  not_recognized_message text,
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
  -- The agency's own Spanish texts; null where it has none.
  status_es text,
  description_es text,
  -- Null without links.
  links_es jsonb,
  -- The number of the call that was answered last, positive or negative: observations are in the order of their calls.
  call_number bigint NOT NULL DEFAULT 0,
  -- When that call was sent, by the database's time: freshness is a difference of it. The other times are to be shown.
  answered_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CHECK (observed_at IS NOT NULL OR not_recognized_at IS NOT NULL),
  CHECK ((observed_at IS NULL) = (status IS NULL) AND (observed_at IS NULL) = (status_at IS NULL))
) WITH (fillfactor = 85);

-- Every status a case was ever in, as the agency's history says or as we saw it ourselves. Grows beyond what the
-- agency returns: rows are never removed.
CREATE TABLE observations (
  receipt_number text NOT NULL,
  -- Its number within the case: the agency may correct the date or the title of an entry.
  entry integer NOT NULL,
  status text NOT NULL,
  status_at timestamptz(3) NOT NULL,
  status_date text,
  source text NOT NULL CHECK (source IN ('agency-history', 'observed')),
  first_observed_at timestamptz(3) NOT NULL,
  last_observed_at timestamptz(3) NOT NULL,
  status_es text,
  -- Since when the agency no longer lists the entry; null for one that it lists, and for our own.
  withdrawn_at timestamptz(3),
  PRIMARY KEY (receipt_number, entry)
) WITH (fillfactor = 85);

CREATE TABLE saved_cases (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  receipt_number text NOT NULL CHECK (receipt_number ~ '^[A-Z]{3}[0-9]{10}$'),
  nickname text,
  monitoring_frequency text NOT NULL DEFAULT 'none'
    CHECK (monitoring_frequency IN ('none', 'daily', 'weekly', 'monthly')),
  -- The status of the newest observation when it was stored; filled at saving, moved by every observation that changes it.
  -- Kept here so that a user's cases are sorted by an index; likewise the form, the status' time and its day below.
  last_checked_at timestamptz(3),
  last_known_status text,
  created_at timestamptz(3) NOT NULL,
  tags text[] NOT NULL DEFAULT '{}',
  archived_at timestamptz(3),
  form_type text,
  status_changed_at timestamptz(3),
  -- Since when the chosen frequency does not run because the user has no pro plan; null: it runs. A user who does not want
  -- a case checked chooses the frequency 'none' instead.
  monitoring_paused_at timestamptz(3),
  -- Until when alerts about the case wait, except those that need action. It is checked as before.
  snoozed_until timestamptz(3),
  last_known_status_es text,
  -- The agency's own date of the status, as it writes it. status_changed_at has it as if it were GMT, which puts cases in order but
  -- is another day for many readers. Null: it gave none.
  status_date text,
  -- Of the last request to monitoring; 0 before the first.
  watch_version bigint NOT NULL DEFAULT 0,
  -- That of the request with which the user began to watch, and what the list showed then; 0 where nothing is to be watched. A
  -- pause and a change of frequency leave them.
  began_version bigint NOT NULL DEFAULT 0,
  began_call bigint NOT NULL DEFAULT 0,
  began_status text,
  -- The dates that the user entered from notices, in the order of their days, and the first and the last day of the open ones.
  dates jsonb NOT NULL DEFAULT '[]',
  first_open_day date,
  last_open_day date
) WITH (fillfactor = 85);

-- A user holds a receipt number once; also finds one case of one user.
CREATE UNIQUE INDEX saved_cases_user_receipt ON saved_cases (user_id, receipt_number);
-- Everyone who saved a receipt number.
CREATE INDEX saved_cases_receipt ON saved_cases (receipt_number);
-- The list, newest first, without a sort.
CREATE INDEX saved_cases_user_created ON saved_cases (user_id, created_at DESC, id DESC);
-- A page in each other order, and the filters by what is sorted by. None holds last_checked_at: a check that finds nothing new
-- then changes no index.
CREATE INDEX saved_cases_user_nickname ON saved_cases (user_id, (coalesce(nickname, '') COLLATE "und-x-icu"), id);
CREATE INDEX saved_cases_user_nickname_es ON saved_cases (user_id, (coalesce(nickname, '') COLLATE "es-x-icu"), id);
CREATE INDEX saved_cases_user_status ON saved_cases (user_id, coalesce(last_known_status, ''), id);
CREATE INDEX saved_cases_user_form ON saved_cases (user_id, coalesce(form_type, ''), id);
CREATE INDEX saved_cases_user_changed ON saved_cases (user_id, coalesce(status_changed_at, '-infinity'), id);
CREATE INDEX saved_cases_user_monitoring ON saved_cases (user_id, monitoring_frequency, id);

CREATE INDEX saved_cases_user_date ON saved_cases (user_id, coalesce(first_open_day, 'infinity'), id);
-- What may have to be reminded of.
CREATE INDEX saved_cases_open_dates ON saved_cases (last_open_day, id) WHERE last_open_day IS NOT NULL AND archived_at IS NULL;

-- What a restore brings back. A table of its own, so that no query of the saved cases can forget to leave these out.
CREATE TABLE removed_cases (
  user_id uuid NOT NULL,
  receipt_number text NOT NULL CHECK (receipt_number ~ '^[A-Z]{3}[0-9]{10}$'),
  nickname text,
  tags text[] NOT NULL,
  monitoring_frequency text NOT NULL CHECK (monitoring_frequency IN ('none', 'daily', 'weekly', 'monthly')),
  archived_at timestamptz(3),
  last_known_status text,
  created_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3) NOT NULL,
  snoozed_until timestamptz(3),
  dates jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (user_id, receipt_number)
);

CREATE INDEX removed_cases_user_removed ON removed_cases (user_id, removed_at DESC, receipt_number);
-- Those whose time is over.
CREATE INDEX removed_cases_removed ON removed_cases (removed_at);

-- Of all requests to monitoring, drawn under the user's lock: a user's later request has a higher version.
CREATE SEQUENCE watch_versions;

-- When all that a user watches was last published; null: not yet. A row for everybody who has ever requested a watch.
CREATE TABLE watch_lists (
  user_id uuid PRIMARY KEY,
  listed_at timestamptz(3)
);

CREATE INDEX watch_lists_listed ON watch_lists (listed_at NULLS FIRST);

-- The last plan that is known of a user: what monitoring is paused and resumed by.
CREATE TABLE plans (
  user_id uuid PRIMARY KEY,
  tier text NOT NULL CHECK (tier IN ('free', 'pro')),
  -- Of the change of the user that it is from.
  version integer NOT NULL
);

-- Users whose account is deleted: a late request or event must not bring their data back.
CREATE TABLE deleted_users (
  user_id uuid PRIMARY KEY,
  deleted_at timestamptz(3) NOT NULL
);

-- Calls of the agency on a day (GMT), each counted before it is made, so that a restart does not double the day's quota.
CREATE TABLE agency_budget_days (
  day date PRIMARY KEY,
  calls integer NOT NULL CHECK (calls >= 0),
  -- Of them, those that scheduled checks have: their share and that of people are guaranteed.
  monitor_calls integer NOT NULL DEFAULT 0 CHECK (monitor_calls >= 0)
) WITH (fillfactor = 50);

-- The calls that each user has had of a day (GMT), so that what is left when it runs low is shared fairly.
CREATE TABLE agency_budget_users (
  day date NOT NULL,
  user_id uuid NOT NULL,
  calls integer NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (day, user_id)
) WITH (fillfactor = 50);

CREATE INDEX agency_budget_users_user ON agency_budget_users (user_id);

-- Lookups that wait for the agency, of all processes. After a crash of PostgreSQL no lookup waits any more, so it is unlogged.
CREATE UNLOGGED TABLE agency_queue (
  lookup_id uuid PRIMARY KEY,
  receipt_number text NOT NULL,
  -- The process that waits for the outcome.
  process_id uuid NOT NULL,
  -- Null for a scheduled check.
  user_id uuid,
  tier text,
  -- What the request log says of the lookup.
  requester jsonb NOT NULL,
  joined_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  -- How long it waits for a turn.
  until timestamptz(6) NOT NULL,
  -- The caller that has read the row.
  epoch bigint,
  -- Whether the call is made on this lookup's turn or on that of another one for the same case; null before the call.
  turn text CHECK (turn IN ('own', 'shared')),
  -- Its client has disconnected since.
  canceled boolean NOT NULL DEFAULT false,
  outcome jsonb
);

CREATE INDEX agency_queue_receipt ON agency_queue (receipt_number);
CREATE INDEX agency_queue_unread ON agency_queue (until) WHERE epoch IS NULL;

-- The one process that calls the agency, and what the next one has to know.
CREATE TABLE agency_caller (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- Rises with every caller, also after a restore of the database.
  epoch bigint NOT NULL,
  name text NOT NULL,
  since timestamptz(6) NOT NULL,
  -- Of the session that has the lock: the row is about its holder, or about one before.
  pid integer,
  -- When it had made its last call, a window before; null while it calls, and when it ended otherwise.
  left_at timestamptz(6),
  -- The pause after the last 429, and how many there were in a row.
  paused_until timestamptz(6),
  pauses integer NOT NULL DEFAULT 0,
  -- The agency answered that the day's quota is spent, and until when that holds.
  quota_spent_until timestamptz(6)
);
