import type { PaymentIntentDoc, SetupIntentDoc } from '../documents.ts';
import { newId, randomText } from '../ids.ts';

const CARD_OPTIONS = {
  installments: null,
  mandate_options: null,
  network: null,
  request_three_d_secure: 'automatic',
} as const;

/** A payment that waits for a card, or for its confirmation when it has one. */
export function newPaymentIntent(facts: {
  amount: number;
  currency: string;
  customer: string | null;
  description: string | null;
  paymentMethod: string | null;
  metadata?: Record<string, string>;
  setupFutureUsage: 'off_session' | null;
  nowSeconds: number;
}): PaymentIntentDoc {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: facts.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: facts.nowSeconds,
    currency: facts.currency,
    customer: facts.customer,
    customer_account: null,
    description: facts.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: facts.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: facts.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: { card: { ...CARD_OPTIONS } },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: facts.setupFutureUsage,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: facts.paymentMethod === null ? 'requires_payment_method' : 'requires_confirmation',
    transfer_data: null,
    transfer_group: null,
  };
}

/** A card to be saved for later charges. */
export function newSetupIntent(facts: {
  customer: string | null;
  paymentMethod: string | null;
  metadata?: Record<string, string>;
  nowSeconds: number;
}): SetupIntentDoc {
  const id = newId('seti');
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(25)}`,
    created: facts.nowSeconds,
    customer: facts.customer,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    managed_payments: null,
    mandate: null,
    metadata: facts.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: facts.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: facts.paymentMethod === null ? 'requires_payment_method' : 'requires_confirmation',
    usage: 'off_session',
  };
}
