-- Up Migration

SET lock_timeout = '5s';

ALTER TABLE customers
  -- When Stripe was last asked to create a customer whose id is not known: Stripe may have created it all the same.
  ADD COLUMN customer_asked_at timestamptz(3);

-- Down Migration

ALTER TABLE customers DROP COLUMN customer_asked_at;
