-- Up Migration

CREATE TABLE surveys (
  id uuid PRIMARY KEY,
  title text NOT NULL CHECK (title <> ''),
  description text,
  is_active boolean NOT NULL,
  start_date timestamptz(3),
  end_date timestamptz(3),
  frequency text NOT NULL CHECK (frequency IN ('daily', 'weekly', 'monthly')),
  login_trigger integer NOT NULL CHECK (login_trigger >= 1),
  -- Grows with every change of the survey or its questions; its row is locked for each of them.
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- Serves the admins' list.
CREATE INDEX surveys_newest ON surveys (created_at, id);
-- Serves what people are due to be shown.
CREATE INDEX surveys_active ON surveys (id) WHERE is_active;

CREATE TABLE questions (
  id uuid PRIMARY KEY,
  survey_id uuid NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
  question_text text NOT NULL CHECK (question_text <> ''),
  question_type text NOT NULL CHECK (question_type IN ('text', 'radio', 'checkbox')),
  options text[] NOT NULL,
  order_index integer NOT NULL CHECK (order_index >= 0),
  is_required boolean NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE INDEX questions_of_survey ON questions (survey_id, order_index, created_at, id);

-- One row for each user who logged in, was shown a survey, or was deleted. A transaction that stores something of a person holds the lock
-- of this row. It outlives the account as the tombstone that keeps late events from bringing it back.
CREATE TABLE people (
  user_id uuid PRIMARY KEY,
  login_count integer NOT NULL,
  deleted_at timestamptz(3)
) WITH (fillfactor = 80);

-- Who was shown which survey: by skipping or answering it.
CREATE TABLE trackings (
  user_id uuid NOT NULL,
  survey_id uuid NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
  -- Once it is answered: when that was.
  last_shown_at timestamptz(3) NOT NULL,
  logins_at_last_shown integer NOT NULL,
  response_submitted boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, survey_id)
);

-- Serves the counts of responses and skips, and the export in the order of the responses.
CREATE INDEX trackings_of_survey ON trackings (survey_id, response_submitted, last_shown_at, user_id);

-- Serves the count of responses of every survey at once: a key per survey, so that it is small.
CREATE INDEX trackings_answered ON trackings (survey_id) WHERE response_submitted;

-- One row per answered question and person.
CREATE TABLE responses (
  id uuid PRIMARY KEY,
  survey_id uuid NOT NULL,
  question_id uuid NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
  user_id uuid NOT NULL,
  response_text text,
  response_options text[] NOT NULL,
  created_at timestamptz(3) NOT NULL
);

-- Serves the export and a user's erasure.
CREATE UNIQUE INDEX responses_of_user ON responses (user_id, question_id);
-- Serves the counts and the texts, newest first.
CREATE INDEX responses_of_question ON responses (question_id, created_at, id);
