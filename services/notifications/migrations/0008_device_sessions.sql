-- Up Migration

SET lock_timeout = '5s';

-- The session in which the browser subscribed last, and when: the messages to a device end with its session. Null: saved before
-- this was kept.
ALTER TABLE push_devices ADD COLUMN session_id uuid;
ALTER TABLE push_devices ADD COLUMN saved_at timestamptz(3);

-- Down Migration

ALTER TABLE push_devices DROP COLUMN saved_at;
ALTER TABLE push_devices DROP COLUMN session_id;
