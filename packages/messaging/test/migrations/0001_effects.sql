-- Up Migration
-- What the handlers of the tests do: one row per effect, in the order of their commits.
CREATE TABLE effects (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id uuid NOT NULL,
  key text NOT NULL,
  n integer NOT NULL
);
