-- Up Migration

-- One row for each user who signed up, with the customer at the payment provider once there is one. The row outlives the
-- account as the tombstone that keeps late events from bringing it back.
CREATE TABLE customers (
  user_id uuid PRIMARY KEY,
  email text,
  name text,
  -- Of the change that the name is from; 0: of the sign-up.
  user_version integer NOT NULL DEFAULT 0,
  stripe_customer_id text,
  -- Part of every idempotency key: counts what the provider has definitely refused, so that a new try is a new one.
  attempt integer NOT NULL DEFAULT 0,
  -- A write of what was read at the provider names the version it was read for.
  version integer NOT NULL DEFAULT 0,
  -- When the provider is to be asked how things stand; null: there is nothing to ask.
  due_at timestamptz(3),
  -- Something is known to have happened: goes before the routine looks.
  urgent boolean NOT NULL DEFAULT false,
  -- Grows with every reason to look, so that one that comes during a look is not taken as done by it.
  wakes integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  deleted_at timestamptz(3),
  -- The user's name or address has changed, and Stripe has the one before.
  contact_changed boolean NOT NULL DEFAULT false,
  -- When Stripe was last asked to create a customer whose id is not known: Stripe may have created it all the same.
  customer_asked_at timestamptz(3),
  -- No trial is given: the address or the card has had one before.
  trial_refused boolean NOT NULL DEFAULT false,
  -- The subscription that would have begun with it, and was ended: it never counts.
  refused_subscription_id text
) WITH (fillfactor = 80);

CREATE UNIQUE INDEX customers_stripe_customer_id ON customers (stripe_customer_id);
CREATE INDEX customers_due_at ON customers (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX customers_urgent ON customers (due_at) WHERE urgent;
-- How far behind the provider the service is, is read from the heads of this and of `provider_events_waiting`.
CREATE INDEX customers_failed ON customers (failures DESC, due_at) WHERE due_at IS NOT NULL AND failures > 0;

-- What the provider answered at the last reconciliation, and what it entitles to.
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
  -- A trial that nothing can be charged for when it ends.
  trial_ends_pro boolean NOT NULL DEFAULT false,
  -- Nothing is charged until then; without a time, until support resumes the payments.
  payments_paused boolean NOT NULL DEFAULT false,
  payments_resume_at timestamptz(3),
  -- Stripe computes the tax of its payments.
  taxed boolean NOT NULL DEFAULT false,
  card_brand text,
  card_last4 text,
  trial_used boolean NOT NULL,
  -- What was last published to the other services; null: nothing yet.
  announced text,
  -- When pro ended, and why, until the user has pro again.
  ended_at timestamptz(3),
  end_reason text,
  -- What the user was notified of: the subscription whose trial ends, and the invoice that is unpaid.
  reminded_of_trial text,
  notified_of_invoice text,
  -- The change of the price that the user was notified of: subscription, new price, day and old price.
  notified_of_price text
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
CREATE INDEX provider_events_waiting ON provider_events (received_at) WHERE done_at IS NULL;
CREATE INDEX provider_events_done_at ON provider_events (done_at) WHERE done_at IS NOT NULL;

-- What pro costs, as the provider last answered: shown also while it is unavailable.
CREATE TABLE prices (
  id text PRIMARY KEY,
  cents integer NOT NULL,
  interval text NOT NULL CHECK (interval IN ('month', 'year')),
  name text NOT NULL,
  place integer NOT NULL,
  fetched_at timestamptz(3) NOT NULL
);

-- What has had a trial: an address or a card, as a keyed hash. The rows outlive the account, without its id.
CREATE TABLE trial_claims (
  hash bytea PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('address', 'payer')),
  -- Empty once the account is deleted.
  user_id uuid,
  stripe_subscription_id text,
  claimed_at timestamptz(3) NOT NULL
);

CREATE INDEX trial_claims_user_id ON trial_claims (user_id) WHERE user_id IS NOT NULL;

-- The key of those hashes, encrypted with a key that is derived from INTERNAL_SECRET.
CREATE TABLE trial_key (
  id smallint PRIMARY KEY CHECK (id = 1),
  sealed bytea NOT NULL
);
