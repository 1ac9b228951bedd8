import { PLAN_END_REASONS, PLAN_MILESTONES } from '@casewatch/contracts/limits';
import { priceChange } from '@casewatch/contracts/notifications';
import type { Subject } from '../domain/subject.ts';

/** The columns that say what a notification is about. */
export interface SubjectRow {
  receipt_number: string | null;
  old_status: string | null;
  new_status: string | null;
  milestone: string | null;
  reason: string | null;
  effective_at: Date | null;
  price_change: unknown;
}

/** Reads what a notification is about. @throws for a row that the table's constraints do not allow */
export function toSubject(row: SubjectRow): Subject {
  const { receipt_number: receiptNumber, new_status: newStatus, effective_at: effectiveAt } = row;
  if (receiptNumber !== null && newStatus !== null) {
    return { kind: 'status', receiptNumber, oldStatus: row.old_status, newStatus };
  }
  const milestone = PLAN_MILESTONES.find((known) => known === row.milestone);
  if (!milestone || effectiveAt === null)
    throw new Error(`the database holds the milestone ${row.milestone}`);
  const reason = PLAN_END_REASONS.find((known) => known === row.reason) ?? null;
  const change = row.price_change === null ? {} : { priceChange: priceChange.parse(row.price_change) };
  return { kind: 'plan', milestone, reason, effectiveAt, ...change };
}
