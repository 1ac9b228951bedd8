import type { Price, SUBSCRIPTION_STATUSES } from '@casewatch/contracts/billing';

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** A price that is offered, or that a subscription has. Money is kept in cents. */
export interface PlanPrice {
  id: string;
  cents: number;
  interval: Price['interval'];
  name: string;
}

/** What the browser confirms a payment, or the card of a trial, with. */
export interface Confirmation {
  clientSecret: string;
  intent: 'payment' | 'setup';
}

/** A subscription as the payment provider has it now. Times are milliseconds since the epoch. */
export interface ProviderSubscription {
  id: string;
  status: SubscriptionStatus;
  createdMs: number;
  price: PlanPrice;
  /** The one item of the subscription, which has the price. */
  itemId: string;
  periodEndsMs: number;
  /** When it ends because it was cancelled. */
  cancelsMs: number | null;
  trialStartsMs: number | null;
  trialEndsMs: number | null;
  /** What is charged next time. */
  card: { brand: string; last4: string } | null;
  hasPaymentMethod: boolean;
  /** The card of a trial that is still to be confirmed, or has just been. */
  setup: { succeeded: boolean; clientSecret: string | null; paymentMethodId: string | null } | null;
  latestInvoice: ProviderInvoice | null;
}

export interface ProviderInvoice {
  id: string;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  paidCents: number;
  /** Since when it wants to be paid. */
  finalizedMs: number;
  clientSecret: string | null;
  paymentIntentIds: readonly string[];
}

/** Everything at the provider that decides what a user is entitled to. */
export interface ProviderState {
  subscriptions: readonly ProviderSubscription[];
  /** Payments that went back to the payer in full: refunded, or a dispute that was lost. */
  reversedPaymentIntentIds: ReadonlySet<string>;
}

export interface IntentFacts {
  customerId: string | null;
  /** The provider's word. */
  status: string;
}

/**
 * The payment provider. Every call is bounded in time.
 * @throws AppError PAYMENTS_UNAVAILABLE when it is away, slow or refuses.
 */
export interface Provider {
  /** How things stand now for a customer. */
  stateOf(customerId: string): Promise<ProviderState>;
  createCustomer(input: {
    userId: string;
    email: string | null;
    name: string | null;
    idempotencyKey: string;
  }): Promise<string>;
  /** @throws CustomerGone when the provider does not know the customer (any more). */
  createSubscription(input: {
    userId: string;
    customerId: string;
    priceId: string;
    trialDays: number;
    idempotencyKey: string;
  }): Promise<ProviderSubscription>;
  /** Gives a trial that has no card yet another price, and its whole length again from now on when asked to. */
  changeTrial(
    subscription: ProviderSubscription,
    change: { priceId: string; trialEndsMs: number | undefined },
  ): Promise<ProviderSubscription>;
  /** Charges the subscription to this payment method from now on. */
  usePaymentMethod(subscriptionId: string, paymentMethodId: string): Promise<void>;
  setCancelAtPeriodEnd(subscriptionId: string, cancel: boolean): Promise<void>;
  /** Ends it now. One that has ended or never was is no error. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** False when it is no longer open: it has been paid meanwhile. */
  voidInvoice(invoiceId: string): Promise<boolean>;
  /** Removes the customer with everything that names the person. One that is gone is no error. */
  removeCustomer(customerId: string): Promise<void>;
  /** Of a payment intent or setup intent; undefined when there is none with this id. */
  intent(id: string): Promise<IntentFacts | undefined>;
  customerOfPayment(paymentIntentId: string): Promise<string | undefined>;
  listPrices(): Promise<PlanPrice[]>;
  openPortal(customerId: string, returnUrl: string): Promise<string>;
}

/** The provider has refused for good: the same request would be answered the same. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}

/** The provider does not know the customer (any more). */
export class CustomerGone extends Error {
  override readonly name = 'CustomerGone';
}
