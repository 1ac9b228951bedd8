import type { DISCOUNT_DURATIONS, Invoice, Price, SUBSCRIPTION_STATUSES } from '@casewatch/contracts/billing';
import type { PlanEndReason } from '@casewatch/contracts/limits';
import { AppError } from '@casewatch/service-kit/errors/app-error';

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** A price that is offered, or that a subscription has. Money is kept in cents. */
export interface PlanPrice {
  id: string;
  cents: number;
  interval: Price['interval'];
  name: string;
}

/** Lets the browser authenticate the payment of a change with the card that is charged. */
export interface SwitchConfirmation {
  clientSecret: string;
  paymentMethodId: string;
}

/** Lets the browser confirm a payment or the card of a trial. */
export interface Confirmation {
  clientSecret: string;
  intent: 'payment' | 'setup';
}

/** Support has paused the payments: the subscription goes on, and its invoices are not charged. */
export interface PaymentPause {
  /** Null: until support resumes them. */
  resumesMs: number | null;
}

/** A subscription as the payment provider has it now. Times are milliseconds since the epoch. */
export interface ProviderSubscription {
  id: string;
  status: SubscriptionStatus;
  createdMs: number;
  price: PlanPrice;
  /** The one item of the subscription, which has the price. */
  itemId: string;
  periodStartsMs: number;
  periodEndsMs: number;
  /** When it ends after a cancellation. */
  cancelsMs: number | null;
  /** The cancellation names its date, as one in the provider's portal does, and not the end of the period. */
  cancelsByDate: boolean;
  trialStartsMs: number | null;
  trialEndsMs: number | null;
  /** The card for the next charge. */
  card: { brand: string; last4: string } | null;
  hasPaymentMethod: boolean;
  /** The payment method that the user chose, where the provider does not have it everywhere yet: as `usePaymentMethod` leaves it. */
  cardToUse: string | null;
  /** We created it with the trial of a first subscription. */
  isFirstTrial: boolean;
  /** What the card, or another payment method, is known by with every customer: the same card has the same text. Null: not known. */
  payer: string | null;
  /** Why the provider ended it, where it says so and the user did not ask for it. */
  endedFor: Extract<PlanEndReason, 'payment-failed' | 'refunded'> | null;
  /** Saves the card of a trial: pending, just confirmed, or canceled, which leaves no secret. */
  setup: {
    id: string;
    succeeded: boolean;
    clientSecret: string | null;
  } | null;
  latestInvoice: ProviderInvoice | null;
  /** A change of the price is made once the latest invoice is paid. */
  changePending: boolean;
  pause: PaymentPause | null;
  /** The provider computes its taxes. */
  taxed?: true;
  /** The promotion code that it began with. */
  promotionId?: string;
  /** When the discount of some months ends. */
  discountEndsMs?: number;
  /** Since when its invoices are unpaid, from the first of them in a row; null where the latest one says it. */
  unpaidSinceMs: number | null;
  /** One of its payments was disputed and lost, or that of its newest paid invoice refunded in full. */
  paidBack: boolean;
}

export interface ProviderInvoice {
  id: string;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  paidCents: number;
  /** Since when it is payable. */
  finalizedMs: number;
  clientSecret: string | null;
}

/** A promotion code, and what it takes off. */
export interface Promotion {
  id: string;
  code: string;
  percentOff: number | null;
  centsOff: number | null;
  duration: (typeof DISCOUNT_DURATIONS)[number];
  /** Of a repeating one. */
  months: number | null;
  /** Only for customers who have paid nothing so far. */
  forFirstPurchase: boolean;
}

/** Where a buyer is, as far as the tax depends on it. */
export interface TaxPlace {
  country: string;
  postalCode: string;
}

/** Everything at the provider that decides what a user is entitled to. */
export interface ProviderState {
  subscriptions: readonly ProviderSubscription[];
}

export interface PriceChange {
  priceId: string;
  /** What the unused part of the period is counted from. */
  atMs: number;
}

export interface IntentFacts {
  customerId: string | null;
  /** In the provider's words. */
  status: string;
  /** The payment method that is or was tried. */
  paymentMethodId: string | null;
  /** It waits for the customer's authentication, or was declined for the want of it. */
  needsAuthentication: boolean;
}

/**
 * The port to the payment provider. Every call is bounded in time.
 * @throws AppError PAYMENTS_UNAVAILABLE when it is unavailable, slow or refuses
 */
export interface Provider {
  /** Reads a customer's current state. @throws CustomerNotFound */
  stateOf(customerId: string): Promise<ProviderState>;
  createCustomer(input: {
    userId: string;
    email: string | null;
    name: string | null;
    idempotencyKey: string;
  }): Promise<string>;
  /** Returns the user's customers that requests at about this time have created. */
  findCustomers(userId: string, atMs: number): Promise<string[]>;
  /** Receipts go to this address from now on. Idempotent. @throws ProviderRefusal, also for a customer that the provider does not know */
  updateCustomer(customerId: string, contact: { email: string; name: string | null }): Promise<void>;
  /** @throws CustomerNotFound when the provider does not know the customer (any more) */
  createSubscription(input: {
    userId: string;
    customerId: string;
    priceId: string;
    trialDays: number;
    promotionId?: string | undefined;
    idempotencyKey: string;
  }): Promise<ProviderSubscription>;
  /** Changes the price of a trial, and optionally its end. */
  changeTrial(
    subscription: ProviderSubscription,
    change: { priceId: string; trialEndsMs: number | undefined },
  ): Promise<ProviderSubscription>;
  /** Charges the subscription to this payment method from now on, and makes it the customer's own. Idempotent. @throws ProviderRefusal */
  usePaymentMethod(subscriptionId: string, customerId: string, paymentMethodId: string): Promise<void>;
  /** Returns what a change of the price costs at a time, in cents. */
  previewSwitch(
    customerId: string,
    subscription: Pick<ProviderSubscription, 'id' | 'itemId' | 'taxed'>,
    change: PriceChange,
  ): Promise<number>;
  /** False when the provider does not know the place. @throws CustomerNotFound */
  placeCustomer(customerId: string, place: TaxPlace): Promise<boolean>;
  /** Returns whether the provider knows a place of the customer for which it can compute taxes. @throws CustomerNotFound */
  hasPlace(customerId: string): Promise<boolean>;
  /** Returns what the next payment of a subscription takes, in cents, the tax of it, and what its discounts take off. */
  dueOf(
    customerId: string,
    subscription: Pick<ProviderSubscription, 'id' | 'latestInvoice' | 'taxed'>,
  ): Promise<{ cents: number; taxCents: number; offCents: number }>;
  /**
   * Returns what a code takes off a price for a customer, or why it can't be used; one that is `held` by what the customer has begun was
   * redeemed with that, and may be used up by it.
   */
  findPromotion(
    code: string,
    use: { customerId: string; priceId: string; held: string | undefined },
  ): Promise<Promotion | 'unknown' | 'other-price'>;
  /** Changes the price once the difference is paid, in place of a change that waits for that. @throws CardDeclined or ProviderRefusal */
  switchPrice(
    subscription: Pick<ProviderSubscription, 'id' | 'itemId'>,
    change: PriceChange,
  ): Promise<ProviderSubscription>;
  /** Returns the newest finalized invoices, newest first. @throws CustomerNotFound */
  listInvoices(customerId: string): Promise<Invoice[]>;
  /** Cancels it at the end of its period, or takes any cancellation back. */
  setCancelAtPeriodEnd(
    subscription: Pick<ProviderSubscription, 'id' | 'cancelsByDate'>,
    cancel: boolean,
  ): Promise<void>;
  /** Ends it now. Idempotent. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** False when it is no longer open: it has been paid in the meantime. */
  voidInvoice(invoiceId: string): Promise<boolean>;
  /** Makes the secret of a setup useless. False when the provider refuses: the card is saved, or the setup was canceled before. */
  cancelSetup(setupId: string): Promise<boolean>;
  /** Makes the secrets of all of the customer's setups useless whose card is not saved. */
  cancelOpenSetups(customerId: string): Promise<void>;
  /** Removes the customer with all personal data. Idempotent. */
  removeCustomer(customerId: string): Promise<void>;
  /** Reads a payment intent or setup intent; undefined when there is none with this id. */
  intent(id: string): Promise<IntentFacts | undefined>;
  customerOfPayment(paymentIntentId: string): Promise<string | undefined>;
  listPrices(): Promise<PlanPrice[]>;
  /** @throws CustomerNotFound */
  openPortal(customerId: string, returnUrl: string): Promise<string>;
}

/** A permanent refusal: the same request would get the same answer. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  /** It is about what was asked for, and not about the key, or a failure of the provider's own. */
  readonly isOfRequest: boolean;

  constructor(message: string, options: ErrorOptions & { isOfRequest?: boolean } = {}) {
    super(message, options);
    this.isOfRequest = options.isOfRequest ?? true;
  }
}

/** The charge that a request depended on was declined. */
export class CardDeclined extends Error {
  override readonly name = 'CardDeclined';
}

/** The provider does not know the customer (any more). */
export class CustomerNotFound extends Error {
  override readonly name = 'CustomerNotFound';
}

const RETRY_AFTER_SECONDS = 5;

/** Answers that nothing was changed because the provider is unavailable. */
export function paymentsUnavailable(cause?: unknown): AppError {
  return new AppError('PAYMENTS_UNAVAILABLE', 'PAYMENTS_UNAVAILABLE', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** Answers that no provider is configured. */
export function paymentsOff(): AppError {
  return new AppError('PAYMENTS_UNAVAILABLE', 'payments-off');
}
