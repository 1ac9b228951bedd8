-- Up Migration

-- When the newest change of the subscription that was heard of was published; null: none was, or before this was kept.
ALTER TABLE users ADD COLUMN tier_since timestamptz(3);

-- Down Migration

ALTER TABLE users DROP COLUMN tier_since;
