import { randomBytes } from 'node:crypto';

/** Stripe's objects as the simulator keeps them: references are ids, times are Unix seconds, amounts are cents. */

interface Document<Name extends string> {
  id: string;
  object: Name;
  created: number;
}

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export interface CustomerDoc extends Document<'customer'> {
  address?: { country: string; postal_code: string };
  email: string | null;
  invoice_settings: { default_payment_method: string | null };
  name: string | null;
  metadata: Record<string, string>;
}
/** What stays of a deleted customer. */
export interface DeletedCustomer {
  id: string;
  object: 'customer';
  deleted: true;
}

export type Interval = 'week' | 'month' | 'year';
export interface PriceDoc extends Document<'price'> {
  active: boolean;
  currency: string;
  lookup_key: string | null;
  nickname: string | null;
  product: string;
  recurring: { interval: Interval; interval_count: 1 };
  type: 'recurring';
  unit_amount: number;
}

export interface CouponDoc extends Document<'coupon'> {
  amount_off: number | null;
  applies_to: { products: string[] } | null;
  currency: string | null;
  duration: 'once' | 'repeating' | 'forever';
  duration_in_months: number | null;
  percent_off: number | null;
  valid: boolean;
}
export interface PromotionCodeDoc extends Document<'promotion_code'> {
  active: boolean;
  code: string;
  customer: string | null;
  expires_at: number | null;
  max_redemptions: number | null;
  promotion: { type: 'coupon'; coupon: string };
  restrictions: {
    first_time_transaction: boolean;
    minimum_amount: number | null;
    minimum_amount_currency: string | null;
  };
  times_redeemed: number;
}
/** What a coupon takes off a subscription, until it is over. */
export interface DiscountDoc {
  id: string;
  object: 'discount';
  end: number | null;
  promotion_code: string;
  source: { type: 'coupon'; coupon: string };
  start: number;
}

export interface SubscriptionDoc extends Document<'subscription'> {
  automatic_tax?: { enabled: boolean };
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: { reason: CancellationReason | null };
  currency: string;
  customer: string;
  default_payment_method: string | null;
  /** Expanded; not of a file from before there were any. */
  discounts?: DiscountDoc[];
  ended_at: number | null;
  items: List<SubscriptionItem>;
  latest_invoice: string | null;
  metadata: Record<string, string>;
  pending_setup_intent: string | null;
  /** Not of a file from before there were any. */
  pause_collection?: PaymentPause | null;
  /** A change that is made once `latest_invoice` is paid. */
  pending_update: PendingUpdate | null;
  status: 'active' | 'canceled' | 'incomplete' | 'incomplete_expired' | 'past_due' | 'trialing';
  trial_end: number | null;
  trial_start: number | null;
}
export type CancellationReason = 'cancellation_requested' | 'payment_failed';
export interface PaymentPause {
  behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void';
  resumes_at: number | null;
}
export interface PendingUpdate {
  billing_cycle_anchor: number;
  expires_at: number;
  subscription_items: SubscriptionItem[];
}
export interface SubscriptionItem {
  id: string;
  object: 'subscription_item';
  current_period_end: number;
  current_period_start: number;
  price: PriceDoc;
}

export interface InvoiceDoc extends Document<'invoice'> {
  amount_due: number;
  amount_paid: number;
  attempt_count: number;
  attempted: boolean;
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  currency: string;
  customer: string;
  /** Expanded; not of a file from before there were any. */
  discounts?: DiscountDoc[];
  /** The page that shows it to the customer. */
  hosted_invoice_url: string;
  next_payment_attempt: number | null;
  number: string;
  parent: { type: 'subscription_details'; subscription_details: { subscription: string } };
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  status_transitions: { finalized_at: number | null; paid_at: number | null; voided_at: number | null };
  total_taxes: { amount: number; tax_behavior: 'exclusive' }[];
}
/** Connects an invoice with the intent that pays it. */
export interface InvoicePaymentDoc extends Document<'invoice_payment'> {
  invoice: string;
  payment: { type: 'payment_intent'; payment_intent: string };
  status: 'open' | 'paid';
}

interface IntentParts {
  client_secret: string;
  customer: string;
  next_action: NextAction | null;
  payment_method: string | null;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'canceled';
}
export interface PaymentIntentDoc extends Document<'payment_intent'>, IntentParts {
  amount: number;
  currency: string;
  last_payment_error: IntentError | null;
  latest_charge: string | null;
}
export interface SetupIntentDoc extends Document<'setup_intent'>, IntentParts {
  last_setup_error: IntentError | null;
}
export type IntentDoc = PaymentIntentDoc | SetupIntentDoc;
export type NextAction =
  | { type: 'use_stripe_sdk'; use_stripe_sdk: { type: 'three_d_secure_redirect'; stripe_js: string } }
  | { type: 'redirect_to_url'; redirect_to_url: { return_url: string; url: string } };
/** The last failure of an intent. */
export interface IntentError {
  type: 'card_error' | 'invalid_request_error';
  code: string;
  decline_code?: string;
  message: string;
  payment_method: PaymentMethodDoc;
}

export interface PaymentMethodDoc extends Document<'payment_method'> {
  card: { brand: string; exp_month: number; exp_year: number; fingerprint: string; last4: string };
  customer: string | null;
  type: 'card';
}

export interface ChargeDoc extends Document<'charge'> {
  amount: number;
  amount_refunded: number;
  currency: string;
  customer: string;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  payment_intent: string;
  payment_method: string;
  refunded: boolean;
  status: 'succeeded' | 'failed';
}
export interface RefundDoc extends Document<'refund'> {
  amount: number;
  charge: string;
  currency: string;
  payment_intent: string;
  status: 'succeeded';
}
export interface DisputeDoc extends Document<'dispute'> {
  amount: number;
  charge: string;
  currency: string;
  payment_intent: string;
  reason: 'fraudulent';
  status: 'needs_response' | 'won' | 'lost';
}

export interface PortalSessionDoc extends Document<'billing_portal.session'> {
  customer: string;
  return_url: string | null;
  url: string;
}

export interface EventDoc extends Document<'event'> {
  api_version: string;
  data: { object: unknown; previous_attributes?: Record<string, unknown> };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `prefix_` and 24 random characters, as the real ids look. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`;
}

export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
