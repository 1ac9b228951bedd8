import type { CaseDateKind } from '@casewatch/contracts/case-date-kinds';
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

/** A date that a user entered, of which it is time to remind. */
export interface DateSubject {
  readonly kind: 'date';
  readonly receiptNumber: string;
  readonly dateId: string;
  readonly dateKind: CaseDateKind;
  /** As `2026-12-24`. */
  readonly day: string;
  readonly label: string | null;
}

/** What a notification and its e-mail are about. */
export type Subject = StatusSubject | PlanSubject | DateSubject;
