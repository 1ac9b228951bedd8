-- Up Migration

SET lock_timeout = '5s';

ALTER TABLE subscriptions
  -- When pro ended, and why, until the user has pro again.
  ADD COLUMN ended_at timestamptz(3),
  ADD COLUMN end_reason text,
  -- What the user was notified of: the subscription whose trial ends, and the invoice that is unpaid.
  ADD COLUMN reminded_of_trial text,
  ADD COLUMN notified_of_invoice text;

-- Down Migration

ALTER TABLE subscriptions
  DROP COLUMN ended_at,
  DROP COLUMN end_reason,
  DROP COLUMN reminded_of_trial,
  DROP COLUMN notified_of_invoice;
