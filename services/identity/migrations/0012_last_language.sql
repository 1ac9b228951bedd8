-- Up Migration

-- The language of the browser at the latest sign-up or sign-in, for accounts that chose none. Null: not signed in since. No
-- check, as for `language`.
SET lock_timeout = '5s';

ALTER TABLE users ADD COLUMN last_language text;

-- Down Migration

ALTER TABLE users DROP COLUMN last_language;
