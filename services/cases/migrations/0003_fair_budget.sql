-- Up Migration

SET lock_timeout = '5s';

-- Of the day's calls, those that scheduled checks have: their share and that of people are guaranteed.
ALTER TABLE agency_budget_days ADD COLUMN monitor_calls integer NOT NULL DEFAULT 0 CHECK (monitor_calls >= 0);

-- The calls that each user has had of a day (GMT), so that what is left when it runs low is shared fairly.
CREATE TABLE agency_budget_users (
  day date NOT NULL,
  user_id uuid NOT NULL,
  calls integer NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (day, user_id)
) WITH (fillfactor = 50);

CREATE INDEX agency_budget_users_user ON agency_budget_users (user_id);

-- Down Migration

DROP TABLE agency_budget_users;
ALTER TABLE agency_budget_days DROP COLUMN monitor_calls;
