-- Up Migration

-- What the person sees of a session in the list of their sessions. Null: opened before this was kept.
ALTER TABLE sessions ADD COLUMN id uuid;
-- Such as "Firefox on Windows".
ALTER TABLE sessions ADD COLUMN device text;
-- The address prefix of the sign-in (IPv4 /24, IPv6 /48).
ALTER TABLE sessions ADD COLUMN network text;

-- Down Migration

ALTER TABLE sessions DROP COLUMN network;
ALTER TABLE sessions DROP COLUMN device;
ALTER TABLE sessions DROP COLUMN id;
