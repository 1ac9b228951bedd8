import type { CustomerDoc, InvoiceDoc, InvoicePaymentDoc, SubscriptionDoc } from '../documents.ts';
import { newId } from '../ids.ts';
import { theItem } from './subscription-item.ts';

export interface InvoiceFacts {
  subscription: SubscriptionDoc;
  customer: CustomerDoc;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  amount: number;
  description: string;
  /** The time that is paid for. */
  period: { start: number; end: number };
  nowSeconds: number;
}

/** A draft for one period of a subscription. */
export function newInvoice(facts: InvoiceFacts): InvoiceDoc {
  const { subscription, customer, amount, nowSeconds } = facts;
  const id = newId('in');
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Casewatch',
    account_tax_ids: null,
    amount_due: amount,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: amount,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: facts.reason,
    collection_method: 'charge_automatically',
    created: nowSeconds,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: 'list', data: [newLine(id, facts)], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: subscription.payment_settings?.payment_method_types ?? null,
    },
    period_end: facts.reason === 'subscription_cycle' ? facts.period.start : nowSeconds,
    period_start:
      facts.reason === 'subscription_cycle' ? theItem(subscription).current_period_start : nowSeconds,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: amount,
    subtotal_excluding_tax: amount,
    test_clock: null,
    total: amount,
    total_discount_amounts: [],
    total_excluding_tax: amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: nowSeconds,
  };
}

function newLine(invoice: string, facts: InvoiceFacts): InvoiceDoc['lines']['data'][number] {
  const { subscription, amount } = facts;
  const item = theItem(subscription);
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: subscription.currency,
    description: facts.description,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: facts.period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: 'price_details',
      unit_amount_decimal: String(amount / item.quantity),
    },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}

/** What connects an invoice with the intent that pays it. */
export function newInvoicePayment(
  invoice: InvoiceDoc,
  paymentIntent: string,
  nowSeconds: number,
): InvoicePaymentDoc {
  return {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: nowSeconds,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: paymentIntent },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
}
