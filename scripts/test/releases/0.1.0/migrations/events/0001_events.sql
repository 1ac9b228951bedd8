-- Up Migration
-- Applied to every service's schema: what a service needs to publish events and to handle them once.

-- An event is inserted by the transaction that causes it. `seq` orders the events of a key; over all keys it
-- becomes visible out of order, so no reader may remember "read up to here".
CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL,
  topic text NOT NULL,
  key text NOT NULL,
  payload jsonb NOT NULL,
  headers jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  done_at timestamptz,
  -- Consumers that have settled the event when others have not; NULL while none has, and once all have.
  settled_by text[]
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
-- A relay reads each topic from its oldest pending event. Each publish pays for an index, so that there is none of done events.
CREATE INDEX outbox_pending ON outbox (topic, seq) WHERE done_at IS NULL;

-- What this service has handled, written in the transaction of the effect. Event ids are UUIDv7, so the
-- primary key is in order of time and old rows are a range of it.
CREATE TABLE inbox (
  consumer_group text NOT NULL,
  event_id uuid NOT NULL,
  handled_at timestamptz NOT NULL,
  PRIMARY KEY (consumer_group, event_id)
);

-- Events that this service could not handle. The payload is text: it may be anything.
CREATE TABLE dead_letters (
  consumer_group text NOT NULL,
  event_id uuid NOT NULL,
  topic text NOT NULL,
  key text NOT NULL,
  payload text NOT NULL,
  headers jsonb NOT NULL,
  error text NOT NULL,
  attempts integer NOT NULL,
  failed_at timestamptz NOT NULL,
  redrive_requested_at timestamptz,
  PRIMARY KEY (consumer_group, event_id)
);
CREATE INDEX dead_letters_to_redrive ON dead_letters (redrive_requested_at)
  WHERE redrive_requested_at IS NOT NULL;
