-- Up Migration

SET lock_timeout = '5s';

ALTER TABLE customers
  -- The user's name or address has changed, and Stripe has the one before.
  ADD COLUMN contact_changed boolean NOT NULL DEFAULT false;

-- Down Migration

ALTER TABLE customers DROP COLUMN contact_changed;
