-- Up Migration

SET lock_timeout = '5s';

-- In which language a device gets its messages, as the app there was read last. Processes of the release before leave it
-- as it is; the default needs no rewrite of the table.
ALTER TABLE push_devices ADD COLUMN language text NOT NULL DEFAULT 'en';

-- Down Migration

ALTER TABLE push_devices DROP COLUMN language;
