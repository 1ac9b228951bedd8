import type { PlanEndReason, PlanMilestone } from '@casewatch/contracts/limits';
import type { Entitlement } from './entitlement.ts';

/** What `plan-milestone-reached` says. */
export interface ReachedMilestone {
  milestone: PlanMilestone;
  reason?: PlanEndReason;
  effectiveMs: number;
}

/** What the account remembers of the milestones of its plan, so that each is published once. */
export interface PlanRecord {
  /** When pro ended, and why, until the user has pro again. */
  ended: { atMs: number; reason: PlanEndReason } | null;
  /** The subscription whose trial the user was reminded of, and whether without a card. */
  remindedOfTrial: string | null;
  /** The unpaid invoice that the user was notified of. */
  notifiedOfInvoice: string | null;
}

/** What was known before. */
export interface KnownPlan {
  /** The change that was published last. */
  published: string | null;
  plan: PlanRecord;
  trialUsed: boolean;
  entitlement: { paymentFailed: boolean } | undefined;
}

export const NEW_PLAN: PlanRecord = { ended: null, remindedOfTrial: null, notifiedOfInvoice: null };

/**
 * Returns the milestones between what is on record and what the provider says now, and the record after them. Saved
 * with the entitlement in one transaction, each is published once, whatever the order and number of the provider's events.
 */
export function planMilestones(
  { published, plan, trialUsed, entitlement: before }: KnownPlan,
  now: Entitlement,
  nowMs: number,
): { reached: ReachedMilestone[]; plan: PlanRecord } {
  const reached: ReachedMilestone[] = [];
  const after = { ...plan };
  const hadPro = published?.startsWith('pro ') ?? false;
  const isPro = now.tier === 'pro';

  if (hadPro && !isPro) {
    const reason = before?.paymentFailed && now.endReason === 'canceled' ? 'payment-failed' : now.endReason;
    after.ended = { atMs: Math.min(now.cancelsMs ?? now.graceEndsMs ?? nowMs, nowMs), reason };
    reached.push({ milestone: 'pro-ended', reason, effectiveMs: after.ended.atMs });
  }
  if (isPro) {
    after.ended = null;
    if (!hadPro && published !== null && trialUsed)
      reached.push({ milestone: 'pro-returned', effectiveMs: nowMs });
  }
  if (isPro && now.unpaidInvoiceId !== null && now.unpaidInvoiceId !== plan.notifiedOfInvoice) {
    after.notifiedOfInvoice = now.unpaidInvoiceId;
    reached.push({ milestone: 'payment-failed', effectiveMs: now.graceEndsMs ?? nowMs });
  }
  const { trialReminderMs, trialEndsMs, subscriptionId } = now;
  const isTrialEnding =
    trialReminderMs !== null && trialEndsMs !== null && nowMs >= trialReminderMs && nowMs < trialEndsMs;
  // A user whose card was removed after the reminder is notified again.
  const reminder = now.trialEndsPro ? `${subscriptionId} without a card` : subscriptionId;
  if (isPro && isTrialEnding && plan.remindedOfTrial !== reminder) {
    after.remindedOfTrial = reminder;
    const milestone = now.trialEndsPro ? 'trial-without-card' : 'trial-ending';
    reached.push({ milestone, effectiveMs: trialEndsMs });
  }
  return { reached, plan: after };
}
