import { type PlanEndReason, type Tier, TRIAL_REMINDER_DAYS } from '@casewatch/contracts/limits';
import type {
  PaymentPause,
  PlanPrice,
  ProviderState,
  ProviderSubscription,
  SubscriptionStatus,
} from './provider.ts';

const DAY_MS = 86_400_000;

/** A user's subscription, and what it entitles to. Times are milliseconds since the epoch. */
export interface Entitlement {
  subscriptionId: string;
  status: SubscriptionStatus;
  tier: Tier;
  price: PlanPrice;
  createdMs: number;
  periodEndsMs: number;
  cancelsMs: number | null;
  trialEndsMs: number | null;
  /** When the user is to be reminded of the end of the trial; null outside a trial that continues. */
  trialReminderMs: number | null;
  /** The open invoice of a renewal that failed. */
  unpaidInvoiceId: string | null;
  /** Why it is over or unpaid: what an end of pro is put down to. */
  endReason: PlanEndReason;
  /** When an unpaid renewal ends pro. */
  graceEndsMs: number | null;
  paymentFailed: boolean;
  /** A trial whose card is not confirmed yet: entitles to nothing. */
  awaitsCard: boolean;
  /** Nothing can be charged at the end of the trial: it ends pro. */
  trialEndsPro: boolean;
  /** Null also where the time to resume has come, and the provider may not have done so yet. */
  pause: PaymentPause | null;
  /** The provider computes the tax of its payments. */
  taxed: boolean;
  card: { brand: string; last4: string } | null;
  /** The user has had pro, or a trial of it: a next subscription begins with a payment. */
  trialUsed: boolean;
}

/**
 * Returns what the provider's current objects entitle to at `nowMs`; undefined without a subscription. It depends on
 * nothing else, so that the order and number of events do not matter.
 */
export function entitlementOf(
  { subscriptions }: ProviderState,
  { nowMs, graceMs }: { nowMs: number; graceMs: number },
): Entitlement | undefined {
  const current = currentSubscription(subscriptions);
  if (!current) return undefined;
  const pause = pauseOf(current, nowMs);
  const graceEndsMs = isUnpaid(current) ? unpaidSinceMs(current) + graceMs : null;
  return {
    subscriptionId: current.id,
    status: current.status,
    tier: isEntitled(current, graceEndsMs, nowMs) ? 'pro' : 'free',
    price: current.price,
    createdMs: current.createdMs,
    periodEndsMs: current.periodEndsMs,
    cancelsMs: current.cancelsMs,
    trialEndsMs: current.status === 'trialing' ? current.trialEndsMs : null,
    // Without a card the trial ends pro, whether payments are paused or not.
    trialReminderMs:
      pause && outlasts(pause, current) && current.hasPaymentMethod ? null : trialReminderMs(current),
    unpaidInvoiceId: isUnpaid(current) ? (current.latestInvoice?.id ?? current.id) : null,
    endReason: endReason(current),
    graceEndsMs,
    paymentFailed: isUnpaid(current),
    awaitsCard: awaitsCard(current),
    trialEndsPro: current.status === 'trialing' && !current.hasPaymentMethod && !awaitsCard(current),
    pause,
    taxed: current.taxed ?? false,
    card: current.card,
    trialUsed: subscriptions.some(hasBeenUsed),
  };
}

/** Returns the subscription that counts: entitled before unpaid, unpaid before ended, then the newest. */
export function currentSubscription(
  subscriptions: readonly ProviderSubscription[],
): ProviderSubscription | undefined {
  return [...subscriptions].sort(
    (a, b) => rank(a) - rank(b) || b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1),
  )[0];
}

/** Returns whether it is a trial whose card is not confirmed: it entitles to nothing yet. */
export function awaitsCard(subscription: ProviderSubscription): boolean {
  const { status, setup, hasPaymentMethod, isFirstTrial } = subscription;
  if (status !== 'trialing' || hasPaymentMethod) return false;
  // The provider may not name the setup any more; a trial that support gives there asks for no card.
  return setup ? !setup.succeeded : isFirstTrial;
}

/** Returns whether it has ended for good. */
export function isOver({ status }: Pick<ProviderSubscription, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** Returns whether nothing is charged when the period or the trial ends. */
export function outlasts({ resumesMs }: PaymentPause, { periodEndsMs }: { periodEndsMs: number }): boolean {
  return resumesMs === null || resumesMs > periodEndsMs;
}

function pauseOf({ pause }: ProviderSubscription, nowMs: number): PaymentPause | null {
  return pause && (pause.resumesMs === null || pause.resumesMs > nowMs) ? pause : null;
}

function rank(subscription: ProviderSubscription): number {
  if (subscription.status === 'active') return 0;
  if (subscription.status === 'trialing') return awaitsCard(subscription) ? 4 : 0;
  if (subscription.status === 'past_due') return 1;
  if (subscription.status === 'unpaid') return 2;
  if (subscription.status === 'paused') return 3;
  if (subscription.status === 'incomplete') return 4;
  return 5;
}

function isEntitled(subscription: ProviderSubscription, graceEndsMs: number | null, nowMs: number): boolean {
  if (subscription.status === 'active') return true;
  if (subscription.status === 'trialing') return !awaitsCard(subscription);
  return subscription.status === 'past_due' && graceEndsMs !== null && nowMs < graceEndsMs;
}

/** Some days before the trial ends; at the middle of one that is no longer than that. Not after a cancellation. */
function trialReminderMs(subscription: ProviderSubscription): number | null {
  const { status, trialStartsMs, trialEndsMs, cancelsMs } = subscription;
  if (status !== 'trialing' || trialEndsMs === null || cancelsMs !== null || awaitsCard(subscription))
    return null;
  const lengthMs = trialEndsMs - (trialStartsMs ?? subscription.createdMs);
  const beforeMs = TRIAL_REMINDER_DAYS * DAY_MS;
  return trialEndsMs - (lengthMs > beforeMs ? beforeMs : lengthMs / 2);
}

/** A payment that went back to the payer counts before all else: it made us end the subscription. */
function endReason(subscription: ProviderSubscription): PlanEndReason {
  if (subscription.paidBack) return 'refunded';
  if (subscription.endedFor) return subscription.endedFor;
  return isUnpaid(subscription) ? 'payment-failed' : 'canceled';
}

function isUnpaid({ status }: ProviderSubscription): boolean {
  return status === 'past_due' || status === 'unpaid';
}

/** The provider's time, not the event's: it is the same however late the event arrives. */
function unpaidSinceMs(subscription: ProviderSubscription): number {
  return subscription.unpaidSinceMs ?? subscription.latestInvoice?.finalizedMs ?? subscription.periodEndsMs;
}

/** Whether it gave pro: one that was never paid and has no card does not count. */
function hasBeenUsed(subscription: ProviderSubscription): boolean {
  if (subscription.status === 'incomplete' || subscription.status === 'incomplete_expired') return false;
  if (subscription.status !== 'canceled') return !awaitsCard(subscription);
  return subscription.hasPaymentMethod || (subscription.latestInvoice?.paidCents ?? 0) > 0;
}
