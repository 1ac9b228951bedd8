import type { Price, Subscription } from '@casewatch/contracts/billing';
import type { Tier } from '@casewatch/contracts/limits';
import { isOver, outlasts } from './entitlement.ts';
import type { PaymentPause, PlanPrice } from './provider.ts';
import type { Account } from './store.ts';

type KnownSubscription = NonNullable<Account['entitlement']>;

/** The tier and status of a user's subscription. */
export interface Standing {
  tier: Tier;
  status: Subscription['status'];
  /** Only where it is so. */
  trialRefused?: true;
}

/**
 * Returns the user's standing. A trial without a card is shown as incomplete. Until a change of the subscription was
 * published, the tier is the one in the caller's identity token.
 */
export function standingOf(account: Account | undefined, callerTier: Tier): Standing {
  const entitlement = account?.entitlement;
  const tier = account && account.published !== null ? (entitlement?.tier ?? 'free') : callerTier;
  const refused = account?.trialRefused && tier === 'free' ? { trialRefused: true as const } : {};
  if (!entitlement) return { tier, status: null, ...refused };
  return { tier, status: entitlement.awaitsCard ? 'incomplete' : entitlement.status, ...refused };
}

/** Returns what the profile shows. */
export function showSubscription(
  account: Account | undefined,
  {
    callerTier,
    nowMs,
    mayHaveTrial,
    offered,
  }: { callerTier: Tier; nowMs: number; mayHaveTrial: boolean; offered: readonly PlanPrice[] },
): Subscription {
  const standing = standingOf(account, callerTier);
  const entitlement = account?.entitlement;
  const begun = entitlement && isBegun(entitlement) ? entitlement : undefined;
  const offersYearly = offered.some(({ interval }) => interval === 'year');
  return {
    ...standing,
    id: entitlement?.subscriptionId ?? null,
    price: begun ? toPrice(begun.price) : null,
    renewsAt: begun && isPaidNext(begun) ? isoOf(begun.periodEndsMs) : null,
    endsAt: begun ? isoOf(endsMs(begun)) : null,
    trialEndsAt: begun ? isoOf(begun.trialEndsMs) : null,
    endedAt: isoOf(account?.plan.ended?.atMs ?? null),
    endReason: account?.plan.ended?.reason ?? null,
    ...(begun?.pause && renews(begun) ? { paymentsPaused: pauseShown(begun.pause, begun) } : {}),
    ...(begun?.taxed ? { taxed: true } : {}),
    card: begun?.card ?? null,
    paymentFailed: begun?.paymentFailed ?? false,
    canCancel: begun !== undefined && canCancel(begun),
    canResume: begun !== undefined && canResume(begun, nowMs),
    canSwitchToYearly: begun !== undefined && canSwitchToYearly(begun) && offersYearly,
    trialAvailable: !begun && mayHaveTrial && standing.tier === 'free',
  };
}

export function toPrice({ id, cents, interval, name }: PlanPrice): Price {
  return { id, amount: cents / 100, interval, displayName: name };
}

/** Returns whether it renews and has not been canceled. */
export function canCancel(entitlement: KnownSubscription): boolean {
  return isRunning(entitlement) && entitlement.cancelsMs === null;
}

/** Returns whether it is paid by the month and renews. While payments are paused the difference could not be charged. */
export function canSwitchToYearly(entitlement: KnownSubscription): boolean {
  const { awaitsCard, pause, price } = entitlement;
  return renews(entitlement) && !awaitsCard && pause === null && price.interval === 'month';
}

/** Returns whether it has been canceled and has not ended yet. */
export function canResume(entitlement: KnownSubscription, nowMs: number): boolean {
  return isRunning(entitlement) && entitlement.cancelsMs !== null && nowMs < entitlement.cancelsMs;
}

function renews({ status, cancelsMs }: KnownSubscription): boolean {
  return (status === 'active' || status === 'trialing') && cancelsMs === null;
}

/** Whether the end of the period is paid for. */
function isPaidNext(entitlement: KnownSubscription): boolean {
  const { pause, trialEndsPro } = entitlement;
  return renews(entitlement) && !trialEndsPro && !(pause && outlasts(pause, entitlement));
}

function isRunning({ status, awaitsCard }: KnownSubscription): boolean {
  return !awaitsCard && (status === 'active' || status === 'trialing' || status === 'past_due');
}

/** When pro ends: a trial without a card ends it, and a cancellation does not make the days of grace of an unpaid renewal last longer. */
function endsMs({ cancelsMs, graceEndsMs, trialEndsPro, trialEndsMs }: KnownSubscription): number | null {
  if (trialEndsPro) return cancelsMs ?? trialEndsMs;
  if (cancelsMs === null || graceEndsMs === null) return cancelsMs ?? graceEndsMs;
  return Math.min(cancelsMs, graceEndsMs);
}

/** Whether it was paid or tried once, and has not ended. */
function isBegun(entitlement: KnownSubscription): boolean {
  return !isOver(entitlement) && entitlement.status !== 'incomplete' && !entitlement.awaitsCard;
}

function pauseShown({ resumesMs }: PaymentPause, { periodEndsMs }: KnownSubscription) {
  return { resumeAt: isoOf(resumesMs), periodEndsAt: new Date(periodEndsMs).toISOString() };
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
