-- Up Migration

-- Everybody who signed up, with their customer at the payment provider once there is one. The row outlives the
-- account as the tombstone that keeps late events from bringing it back.
CREATE TABLE customers (
  user_id uuid PRIMARY KEY,
  email text,
  name text,
  stripe_customer_id text,
  -- Part of every idempotency key: counts what the provider has definitely refused, so that a new try is a new one.
  attempt integer NOT NULL DEFAULT 0,
  -- Whoever writes what was read at the provider names the version that it belongs to.
  version integer NOT NULL DEFAULT 0,
  -- When the provider is to be asked how things stand; null: there is nothing to ask.
  due_at timestamptz(3),
  -- Something is known to have happened: goes before the routine looks.
  urgent boolean NOT NULL DEFAULT false,
  -- Grows with every reason to look, so that one that comes during a look is not taken as done by it.
  wakes integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  deleted_at timestamptz(3)
) WITH (fillfactor = 80);

CREATE UNIQUE INDEX customers_stripe_customer_id ON customers (stripe_customer_id);
CREATE INDEX customers_due_at ON customers (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX customers_urgent ON customers (due_at) WHERE urgent;

-- What the provider said at the last look, and what it entitles to.
CREATE TABLE subscriptions (
  user_id uuid PRIMARY KEY REFERENCES customers (user_id),
  stripe_subscription_id text NOT NULL,
  status text NOT NULL,
  tier text NOT NULL CHECK (tier IN ('free', 'pro')),
  price_id text NOT NULL,
  price_cents integer NOT NULL,
  price_interval text NOT NULL CHECK (price_interval IN ('month', 'year')),
  price_name text NOT NULL,
  period_ends_at timestamptz(3) NOT NULL,
  cancels_at timestamptz(3),
  trial_ends_at timestamptz(3),
  -- When an unpaid renewal ends pro.
  grace_ends_at timestamptz(3),
  payment_failed boolean NOT NULL,
  awaits_card boolean NOT NULL,
  card_brand text,
  card_last4 text,
  trial_used boolean NOT NULL,
  -- What the other services were last told; null: nothing yet.
  announced text
) WITH (fillfactor = 80);

-- Events of the provider: each counts once, however often it comes.
CREATE TABLE provider_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  -- Set when the event names a payment and no customer: the provider has to be asked whose it is.
  payment_intent_id text,
  received_at timestamptz(3) NOT NULL,
  done_at timestamptz(3),
  due_at timestamptz(3) NOT NULL,
  failures integer NOT NULL DEFAULT 0
);

CREATE INDEX provider_events_open ON provider_events (due_at) WHERE done_at IS NULL;
CREATE INDEX provider_events_done_at ON provider_events (done_at) WHERE done_at IS NOT NULL;

-- What pro costs, as the provider last said: shown also while it is away.
CREATE TABLE prices (
  id text PRIMARY KEY,
  cents integer NOT NULL,
  interval text NOT NULL CHECK (interval IN ('month', 'year')),
  name text NOT NULL,
  place integer NOT NULL,
  fetched_at timestamptz(3) NOT NULL
);

-- Down Migration

DROP TABLE prices;
DROP TABLE provider_events;
DROP TABLE subscriptions;
DROP TABLE customers;
