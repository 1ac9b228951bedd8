import type { PlanEndReason, PlanMilestone } from '@casewatch/contracts/limits';
import type { PriceChange } from '@casewatch/contracts/translations';

export interface StatusSubject {
  readonly kind: 'status';
  readonly receiptNumber: string;
  readonly oldStatus: string | null;
  readonly newStatus: string;
}

export interface PlanSubject {
  readonly kind: 'plan';
  readonly milestone: PlanMilestone;
  readonly reason: PlanEndReason | null;
  readonly effectiveAt: Date;
  /** Of `price-changing`. */
  readonly priceChange?: PriceChange;
}

/** What a notification and its e-mail are about. */
export type Subject = StatusSubject | PlanSubject;
