import type Stripe from 'stripe';

/** A document as it is kept: references are ids, decimals are texts as on the wire. */
type Kept<Whole, Narrowed> = Omit<Whole, keyof Narrowed> & Narrowed;

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export type CustomerDoc = Kept<
  Omit<Stripe.Customer, 'deleted' | 'subscriptions' | 'sources' | 'tax_ids' | 'cash_balance' | 'test_clock'>,
  {
    invoice_settings: Kept<Stripe.Customer.InvoiceSettings, { default_payment_method: string | null }>;
    invoice_prefix: string;
    next_invoice_sequence: number;
    deleted?: true;
  }
>;
export type ProductDoc = Kept<Omit<Stripe.Product, 'deleted'>, { default_price: string | null }>;
export type PriceDoc = Kept<
  Omit<Stripe.Price, 'deleted' | 'tiers' | 'currency_options'>,
  {
    product: string;
    unit_amount: number;
    unit_amount_decimal: string | null;
    recurring: Stripe.Price.Recurring;
  }
>;
export type PlanDoc = Kept<
  Omit<Stripe.Plan, 'deleted' | 'tiers'>,
  { product: string; amount_decimal: string | null }
>;
export type SubscriptionItemDoc = Kept<
  Omit<Stripe.SubscriptionItem, 'deleted' | 'billed_until'>,
  { price: PriceDoc; plan: PlanDoc; quantity: number }
>;
export type SubscriptionDoc = Kept<
  Stripe.Subscription,
  {
    customer: string;
    latest_invoice: string | null;
    default_payment_method: string | null;
    pending_setup_intent: string | null;
    items: List<SubscriptionItemDoc>;
    status: SubscriptionStatus;
  }
>;
export type SubscriptionStatus =
  | 'active'
  | 'canceled'
  | 'incomplete'
  | 'incomplete_expired'
  | 'past_due'
  | 'paused'
  | 'trialing';
export type LineItemDoc = Kept<
  Stripe.InvoiceLineItem,
  {
    pricing: {
      type: 'price_details';
      price_details: { price: string; product: string };
      unit_amount_decimal: string;
    };
    quantity_decimal: string;
    subscription: string | null;
  }
>;
export type InvoiceDoc = Kept<
  Omit<Stripe.Invoice, 'deleted' | 'confirmation_secret' | 'payments'>,
  { customer: string; default_payment_method: string | null; lines: List<LineItemDoc> }
>;
export type InvoicePaymentDoc = Kept<
  Stripe.InvoicePayment,
  {
    invoice: string;
    payment: { type: 'payment_intent'; payment_intent: string };
    status: 'open' | 'paid' | 'canceled';
  }
>;
export type PaymentIntentDoc = Kept<
  Stripe.PaymentIntent,
  {
    client_secret: string;
    customer: string | null;
    payment_method: string | null;
    latest_charge: string | null;
    last_payment_error: IntentError | null;
    next_action: NextAction | null;
    status: IntentStatus;
  }
>;
export type SetupIntentDoc = Kept<
  Stripe.SetupIntent,
  {
    client_secret: string;
    customer: string | null;
    payment_method: string | null;
    last_setup_error: IntentError | null;
    next_action: NextAction | null;
    status: Exclude<IntentStatus, 'requires_capture'>;
  }
>;
export type IntentDoc = PaymentIntentDoc | SetupIntentDoc;
export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'canceled';
export interface NextAction {
  type: 'use_stripe_sdk' | 'redirect_to_url';
  use_stripe_sdk?: { type: string; stripe_js: string };
  redirect_to_url?: { return_url: string | null; url: string };
}
/** What an intent remembers of its last failure. */
export interface IntentError {
  type: 'card_error' | 'invalid_request_error';
  code: string;
  decline_code?: string;
  message: string;
  doc_url: string;
  charge?: string;
  payment_method?: PaymentMethodDoc;
}
export type PaymentMethodDoc = Pick<
  Stripe.PaymentMethod,
  | 'id'
  | 'object'
  | 'billing_details'
  | 'created'
  | 'customer_account'
  | 'livemode'
  | 'metadata'
  | 'allow_redisplay'
> & { type: 'card'; card: Stripe.PaymentMethod.Card & { fingerprint: string }; customer: string | null };
export type ChargeDoc = Kept<
  Omit<Stripe.Charge, 'refunds'>,
  { customer: string | null; payment_intent: string; status: 'succeeded' | 'failed' }
>;
export type RefundDoc = Kept<Stripe.Refund, { charge: string; payment_intent: string }>;
export type DisputeDoc = Kept<Stripe.Dispute, { charge: string; payment_intent: string }>;
export type PortalSessionDoc = Stripe.BillingPortal.Session;

export interface EventDoc {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: unknown; previous_attributes?: Record<string, unknown> };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}
