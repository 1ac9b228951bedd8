-- Up Migration

-- Named addresses of the log, of one administrator each.
CREATE TABLE log_views (
  id uuid PRIMARY KEY,
  administrator_id uuid NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  UNIQUE (administrator_id, name)
);

-- Down Migration

DROP TABLE log_views;
