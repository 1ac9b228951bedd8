-- Up Migration

SET lock_timeout = '5s';

-- Since when the chosen frequency does not run because the user has no pro plan; null: it runs. A user who does not want
-- a case checked chooses the frequency 'none' instead.
ALTER TABLE saved_cases ADD COLUMN monitoring_paused_at timestamptz(3);

-- The last plan that is known of a user: what monitoring is paused and resumed by.
CREATE TABLE plans (
  user_id uuid PRIMARY KEY,
  tier text NOT NULL CHECK (tier IN ('free', 'pro')),
  changed_at timestamptz(3) NOT NULL
);

-- Down Migration

DROP TABLE plans;
UPDATE saved_cases SET monitoring_frequency = 'none' WHERE monitoring_paused_at IS NOT NULL;
ALTER TABLE saved_cases DROP COLUMN monitoring_paused_at;
