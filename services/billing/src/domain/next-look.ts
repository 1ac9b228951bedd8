import type { Entitlement } from './entitlement.ts';

export interface LookPace {
  /** A subscription that is not settled is looked at again after this time at first. */
  readonly reconcileMs: number;
  /** Everything is looked at this often at least. */
  readonly sweepMs: number;
}

const HOUR_MS = 3_600_000;
/** The provider makes the invoice of a renewal at the end of the period and takes the money about an hour later. */
const RENEWAL_MS = 2 * HOUR_MS;
/** A change that is due at a moment is looked at just after it. */
const JUST_AFTER_MS = 1_000;

/**
 * When to ask the provider again, should no event tell of a change before. What is under way is asked for soon, and
 * ever less often as it gets older; what is due at a known moment just after it.
 */
export function nextLookMs(
  entitlement: Entitlement | undefined,
  nowMs: number,
  { reconcileMs, sweepMs }: LookPace,
): number {
  const moments = [nowMs + sweepMs];
  if (entitlement) {
    const { status, awaitsCard, cancelsMs, graceEndsMs, periodEndsMs } = entitlement;
    if (status === 'incomplete' || awaitsCard) moments.push(nowMs + patience(entitlement.createdMs));
    if (status === 'active' || status === 'trialing')
      moments.push((cancelsMs ?? periodEndsMs) + JUST_AFTER_MS);
    if (status === 'active' && cancelsMs === null) moments.push(periodEndsMs + RENEWAL_MS);
    if (graceEndsMs !== null) moments.push(graceEndsMs, nowMs + patience(entitlement.createdMs));
  }
  return Math.min(...moments.filter((moment) => moment > nowMs));

  function patience(sinceMs: number): number {
    return Math.min(HOUR_MS, Math.max(reconcileMs, (nowMs - sinceMs) / 4));
  }
}
