-- Up Migration

-- Signs the account's device cookies, 32 random bytes as base64url; another one makes those signed before worthless.
-- Null: none was issued yet.
ALTER TABLE users ADD COLUMN device_key text;

-- Down Migration

ALTER TABLE users DROP COLUMN device_key;
