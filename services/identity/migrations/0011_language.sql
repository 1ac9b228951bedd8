-- Up Migration

-- The language that a person chose, and that of the request that caused an e-mail. Null: as the browser asks for; likewise
-- in rows of older processes. No check: a language that is added later must not wait for a scan of the table.
SET lock_timeout = '5s';

ALTER TABLE users ADD COLUMN language text;
ALTER TABLE account_mails ADD COLUMN language text;

-- Down Migration

ALTER TABLE account_mails DROP COLUMN language;
ALTER TABLE users DROP COLUMN language;
