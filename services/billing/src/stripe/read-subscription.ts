import { type Invoice, SUBSCRIPTION_STATUSES } from '@casewatch/contracts/billing';
import { normalizedAddress } from '@casewatch/service-kit/http/normalized-address';
import type Stripe from 'stripe';
import type { IntentFacts, PlanPrice, ProviderInvoice, ProviderSubscription } from '../domain/provider.ts';
import type { ChosenCard } from './chosen-card.ts';
import { idOf, whole } from './references.ts';

/** The expanded parts of a subscription. Stripe expands at most four levels. */
export const SUBSCRIPTION_PARTS = [
  'latest_invoice.confirmation_secret',
  'pending_setup_intent.payment_method',
  'default_payment_method',
  'customer',
  'discounts',
] as const;

/** The name in the metadata of a subscription that we begin with a trial. */
export const FIRST_TRIAL = 'first_trial';

/** The name in the metadata of the promotion code that a subscription began with: Stripe drops a discount that is over. */
export const PROMOTION = 'promotion_code';

/**
 * Translates Stripe's object, whose parts must be expanded; without `chosen` the card is the subscription's own. @throws when it cannot
 * be one of ours
 */
export function readSubscription(
  subscription: Stripe.Subscription,
  chosen?: ChosenCard,
): ProviderSubscription {
  const item = subscription.items.data[0];
  if (!item) throw new Error(`Stripe's subscription ${subscription.id} has no item`);
  const own = whole(subscription.default_payment_method);
  const method = chosen ? (chosen.method ?? null) : own;
  const setup = whole(subscription.pending_setup_intent) ?? chosen?.setup ?? null;
  const invoice = whole(subscription.latest_invoice);
  const promotionId = subscription.metadata[PROMOTION];
  const discountEnd = whole(subscription.discounts[0] ?? null)?.end;
  return {
    id: subscription.id,
    status: readStatus(subscription),
    createdMs: subscription.created * 1000,
    price: readPrice(item.price),
    itemId: item.id,
    periodStartsMs: item.current_period_start * 1000,
    periodEndsMs: item.current_period_end * 1000,
    cancelsMs: cancelsMs(subscription, item),
    cancelsByDate: subscription.cancel_at !== null && !subscription.cancel_at_period_end,
    trialStartsMs: milliseconds(subscription.trial_start),
    trialEndsMs: milliseconds(subscription.trial_end),
    card: method?.card ? { brand: method.card.brand, last4: method.card.last4 } : null,
    hasPaymentMethod: chosen ? method !== null : subscription.default_payment_method !== null,
    cardToUse: chosen?.toUse ?? null,
    isFirstTrial: subscription.metadata[FIRST_TRIAL] !== undefined,
    payer: payerOf(method ?? whole(setup?.payment_method ?? null)),
    endedFor: endedFor(subscription),
    setup: setup && {
      id: setup.id,
      succeeded: setup.status === 'succeeded',
      clientSecret: setup.status === 'canceled' ? null : setup.client_secret,
    },
    latestInvoice: invoice && readInvoice(invoice),
    changePending: subscription.pending_update !== null,
    pause: subscription.pause_collection && {
      resumesMs: milliseconds(subscription.pause_collection.resumes_at),
    },
    ...(subscription.automatic_tax?.enabled ? { taxed: true as const } : {}),
    ...(promotionId ? { promotionId } : {}),
    ...(discountEnd ? { discountEndsMs: discountEnd * 1000 } : {}),
    unpaidSinceMs: null,
    paidBack: false,
  };
}

/**
 * Returns what identifies a payment method across customers: Stripe's fingerprint of a card or bank account. A wallet may have
 * one of its own for a card (Stripe API, "PaymentMethod.card.fingerprint"). Link has none when its card stays with it: then its address counts.
 */
function payerOf(method: Stripe.PaymentMethod | null): string | null {
  if (!method) return null;
  const { type, card, us_bank_account, sepa_debit, bacs_debit, au_becs_debit, acss_debit, link } = method;
  const account = [card, us_bank_account, sepa_debit, bacs_debit, au_becs_debit, acss_debit].find(
    (details) => details?.fingerprint,
  );
  if (account?.fingerprint) return `${type} ${account.fingerprint}`;
  return link?.email ? `${type} ${normalizedAddress(link.email)}` : null;
}

export function readPrice({ id, unit_amount, recurring, nickname }: Stripe.Price): PlanPrice {
  const interval = recurring?.interval === 'year' ? 'year' : 'month';
  return {
    id,
    cents: unit_amount ?? 0,
    interval,
    name: nickname || (interval === 'year' ? 'Yearly' : 'Monthly'),
  };
}

function readInvoice(invoice: Stripe.Invoice): ProviderInvoice {
  return {
    id: invoice.id,
    status: readInvoiceStatus(invoice.status),
    paidCents: invoice.amount_paid,
    finalizedMs: finalizedMs(invoice),
    clientSecret: invoice.confirmation_secret?.client_secret ?? null,
  };
}

/** A charge without the customer may be declined for the want of authentication (Stripe docs, "Decline codes"). */
export function readIntent(intent: Stripe.PaymentIntent | Stripe.SetupIntent): IntentFacts {
  const error = intent.object === 'payment_intent' ? intent.last_payment_error : null;
  const wasRefused = intent.status === 'requires_payment_method' && error?.code === 'authentication_required';
  return {
    customerId: idOf(intent.customer),
    status: intent.status,
    paymentMethodId: idOf(intent.payment_method) ?? error?.payment_method?.id ?? null,
    needsAuthentication: wasRefused || /^requires_(?:action|confirmation)$/.test(intent.status),
  };
}

/**
 * Returns when the first of the newest invoices that are all unpaid became payable; null where the newest one is paid. A pause leaves some
 * uncollectible although no payment was attempted.
 */
export function unpaidSinceMs(newestFirst: readonly Stripe.Invoice[]): number | null {
  let sinceMs: number | null = null;
  for (const invoice of newestFirst) {
    if (invoice.status === 'paid') break;
    const isOwed = invoice.status === 'open' || (invoice.status === 'uncollectible' && invoice.attempted);
    if (isOwed) sinceMs = finalizedMs(invoice);
  }
  return sinceMs;
}

/** How a payment went back to the payer in full: by a refund, or by a dispute that was lost. */
export type Reversal = 'refunded' | 'lost';

/**
 * Returns whether a subscription with these invoices, whose payments must be expanded, has been paid back: any payment counts that was
 * lost, and the one of the newest paid invoice that was refunded. A refund of an older period is goodwill.
 */
export function isPaidBack(
  newestFirst: readonly Stripe.Invoice[],
  reversals: ReadonlyMap<string, Reversal>,
): boolean {
  const newestPaid = newestFirst.find(({ status }) => status === 'paid');
  return newestFirst.some((invoice) =>
    (invoice.payments?.data ?? []).some(({ payment }) => {
      const reversal = reversals.get(idOf(payment.payment_intent) ?? '');
      return reversal === 'lost' || (reversal === 'refunded' && invoice === newestPaid);
    }),
  );
}

function finalizedMs({ status_transitions, created }: Stripe.Invoice): number {
  return (status_transitions.finalized_at ?? created) * 1000;
}

/**
 * Returns an invoice as the user sees it; undefined for a draft, one over nothing, such as that of a trial, one of a change that was not made,
 * and one that a pause left uncollectible.
 */
export function readListedInvoice(invoice: Stripe.Invoice): Invoice | undefined {
  const status = readInvoiceStatus(invoice.status);
  if (status === 'draft' || invoice.amount_due === 0) return undefined;
  if (status === 'uncollectible' && !invoice.attempted) return undefined;
  if (invoice.billing_reason === 'subscription_update' && status !== 'paid') return undefined;
  return {
    id: invoice.id,
    number: invoice.number ?? null,
    createdAt: new Date(invoice.created * 1000).toISOString(),
    amount: invoice.amount_due / 100,
    status,
    url: invoice.hosted_invoice_url ?? null,
  };
}

function readStatus({ id, status }: Stripe.Subscription): ProviderSubscription['status'] {
  const known = SUBSCRIPTION_STATUSES.find((candidate) => candidate === status);
  if (!known) throw new Error(`Stripe's subscription ${id} is ${status}, which is unknown`);
  return known;
}

function readInvoiceStatus(status: Stripe.Invoice.Status | null): ProviderInvoice['status'] {
  const known = (['open', 'paid', 'void', 'uncollectible'] as const).find(
    (candidate) => candidate === status,
  );
  return known ?? 'draft';
}

function cancelsMs(subscription: Stripe.Subscription, item: Stripe.SubscriptionItem): number | null {
  if (subscription.ended_at !== null) return subscription.ended_at * 1000;
  if (subscription.cancel_at !== null) return subscription.cancel_at * 1000;
  return subscription.cancel_at_period_end ? item.current_period_end * 1000 : null;
}

function endedFor({ cancellation_details }: Stripe.Subscription): ProviderSubscription['endedFor'] {
  const reason = cancellation_details?.reason;
  if (reason === 'payment_failed') return 'payment-failed';
  return reason === 'payment_disputed' ? 'refunded' : null;
}

function milliseconds(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}
