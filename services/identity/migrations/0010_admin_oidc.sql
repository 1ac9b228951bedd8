-- Up Migration

-- Administrators who sign in with the team's OpenID provider are known by its issuer and their subject there.
SET lock_timeout = '5s';

ALTER TABLE administrators
  ADD COLUMN oidc_issuer text,
  ADD COLUMN oidc_subject text,
  -- The provider's groups gave the role: without a group the access ends.
  ADD COLUMN oidc_gives_role boolean NOT NULL DEFAULT false,
  ADD CHECK (num_nonnulls(oidc_issuer, oidc_subject) IN (0, 2));
CREATE UNIQUE INDEX administrators_oidc ON administrators (oidc_issuer, oidc_subject);

-- Down Migration

ALTER TABLE administrators DROP COLUMN oidc_issuer, DROP COLUMN oidc_subject, DROP COLUMN oidc_gives_role;
