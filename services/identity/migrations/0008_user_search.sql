-- Up Migration

-- Users are found by how their last names and e-mail addresses begin (`findUsers`).
SET lock_timeout = '5s';

CREATE INDEX users_email_start ON users (email_key text_pattern_ops);
CREATE INDEX users_last_name_start ON users (lower(last_name) text_pattern_ops);

-- Down Migration

DROP INDEX users_last_name_start, users_email_start;
