-- Up Migration

SET lock_timeout = '5s';

-- The call whose payload is that of this one, too: the agency said the same again. Null where it has a payload of its own.
ALTER TABLE calls ADD COLUMN answer_at timestamptz(3), ADD COLUMN answer_id uuid;

-- Down Migration

ALTER TABLE calls DROP COLUMN answer_at, DROP COLUMN answer_id;
