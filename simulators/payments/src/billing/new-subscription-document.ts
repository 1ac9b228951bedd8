import type { PlanDoc, PriceDoc, SubscriptionDoc, SubscriptionItemDoc } from '../documents.ts';
import { newId } from '../ids.ts';

export interface SubscriptionFacts {
  customer: string;
  price: PriceDoc;
  quantity: number;
  nowSeconds: number;
  /** Start, end and anchor of the first period. */
  periodEnd: number;
  trialEnd: number | null;
  metadata: Record<string, string>;
  defaultPaymentMethod: string | null;
  saveDefaultPaymentMethod: 'off' | 'on_subscription';
  paymentMethodTypes: string[] | null;
  missingPaymentMethod: 'cancel' | 'create_invoice' | 'pause';
  description: string | null;
}

/** A subscription as it is before its first invoice. */
export function newSubscriptionDocument(facts: SubscriptionFacts): SubscriptionDoc {
  const { nowSeconds, trialEnd } = facts;
  const id = newId('sub');
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? nowSeconds,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: nowSeconds,
    currency: facts.price.currency,
    customer: facts.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: facts.defaultPaymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: facts.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [newItem(id, facts)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: facts.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: facts.paymentMethodTypes,
      save_default_payment_method: facts.saveDefaultPaymentMethod,
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: nowSeconds,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: facts.missingPaymentMethod },
    },
    trial_start: trialEnd === null ? null : nowSeconds,
  };
}

function newItem(subscription: string, facts: SubscriptionFacts): SubscriptionItemDoc {
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: facts.nowSeconds,
    current_period_end: facts.periodEnd,
    current_period_start: facts.nowSeconds,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(facts.price),
    price: facts.price,
    quantity: facts.quantity,
    subscription,
    tax_rates: [],
  };
}

/** The older name of a price, which items still carry. */
export function planOf(price: PriceDoc): PlanDoc {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring.interval,
    interval_count: price.recurring.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}
