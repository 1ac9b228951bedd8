import type { Entitlement } from './entitlement.ts';

export interface ReconcileSchedule {
  /** The first interval for a subscription that is not settled. */
  readonly reconcileMs: number;
  /** The longest interval for any customer. */
  readonly sweepMs: number;
}

const HOUR_MS = 3_600_000;
/** The provider makes the invoice of a renewal at the end of the period and takes the money about an hour later. */
const RENEWAL_MS = 2 * HOUR_MS;
/** A change that is due at a known time is read just after it. */
const JUST_AFTER_MS = 1_000;

/**
 * Returns when to reconcile next if no event arrives before: soon for a payment or a change in progress, less often as it gets
 * older, and just after a known due time.
 */
export function nextReconcileMs(
  entitlement: Entitlement | undefined,
  nowMs: number,
  { reconcileMs, sweepMs }: ReconcileSchedule,
  changingSinceMs?: number,
): number {
  const moments = [nowMs + sweepMs];
  if (changingSinceMs !== undefined) moments.push(nowMs + backoff(changingSinceMs));
  if (entitlement) {
    const { status, awaitsCard, cancelsMs, graceEndsMs, pause, periodEndsMs, trialReminderMs } = entitlement;
    if (status === 'incomplete' || awaitsCard) moments.push(nowMs + backoff(entitlement.createdMs));
    if (status === 'active' || status === 'trialing')
      moments.push((cancelsMs ?? periodEndsMs) + JUST_AFTER_MS);
    if (status === 'active' && cancelsMs === null) moments.push(periodEndsMs + RENEWAL_MS);
    // A trial without a card would end pro: a last look while it can still be given one.
    if (status === 'trialing' && !awaitsCard) moments.push(periodEndsMs - HOUR_MS);
    if (pause?.resumesMs) moments.push(pause.resumesMs + JUST_AFTER_MS);
    if (trialReminderMs !== null) moments.push(trialReminderMs);
    if (graceEndsMs !== null) moments.push(graceEndsMs, nowMs + backoff(entitlement.createdMs));
  }
  return Math.min(...moments.filter((moment) => moment > nowMs));

  function backoff(sinceMs: number): number {
    return Math.min(HOUR_MS, Math.max(reconcileMs, (nowMs - sinceMs) / 4));
  }
}
