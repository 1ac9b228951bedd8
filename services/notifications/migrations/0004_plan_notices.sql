-- Up Migration

SET lock_timeout = '5s';

-- A notification is about a case or about the user's plan. What both need is checked for new rows first, and for the
-- old ones without keeping anything from being written meanwhile.
ALTER TABLE notifications
  ALTER COLUMN receipt_number DROP NOT NULL,
  ALTER COLUMN new_status DROP NOT NULL,
  ADD COLUMN milestone text,
  -- Why pro ended.
  ADD COLUMN reason text,
  ADD COLUMN effective_at timestamptz(3),
  ADD CONSTRAINT notifications_subject CHECK (
    CASE WHEN milestone IS NULL THEN receipt_number IS NOT NULL AND new_status IS NOT NULL
      ELSE receipt_number IS NULL AND new_status IS NULL AND effective_at IS NOT NULL END
  ) NOT VALID;

ALTER TABLE notifications VALIDATE CONSTRAINT notifications_subject;

-- Down Migration

DELETE FROM notifications WHERE milestone IS NOT NULL;
ALTER TABLE notifications
  DROP CONSTRAINT notifications_subject,
  DROP COLUMN milestone,
  DROP COLUMN reason,
  DROP COLUMN effective_at,
  ALTER COLUMN receipt_number SET NOT NULL,
  ALTER COLUMN new_status SET NOT NULL;
