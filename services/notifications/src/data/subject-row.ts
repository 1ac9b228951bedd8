import { CASE_DATE_KINDS } from '@casewatch/contracts/case-date-kinds';
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
  date_id: string | null;
  date_kind: string | null;
  day: string | null;
  date_label: string | null;
}

/** Of `notifications`. */
export const SUBJECT_COLUMNS =
  'receipt_number, old_status, new_status, milestone, reason, effective_at, price_change, date_id, date_kind, day, date_label';

/** Reads what a notification is about. @throws for a row that the table's constraints do not allow */
export function toSubject(row: SubjectRow): Subject {
  const { receipt_number: receiptNumber, new_status: newStatus, effective_at: effectiveAt } = row;
  if (receiptNumber !== null && newStatus !== null) {
    return { kind: 'status', receiptNumber, oldStatus: row.old_status, newStatus };
  }
  const dateKind = CASE_DATE_KINDS.find((known) => known === row.date_kind);
  if (receiptNumber !== null && row.date_id !== null && dateKind && row.day !== null)
    return {
      kind: 'date',
      receiptNumber,
      dateId: row.date_id,
      dateKind,
      day: row.day,
      label: row.date_label,
    };
  const milestone = PLAN_MILESTONES.find((known) => known === row.milestone);
  if (!milestone || effectiveAt === null)
    throw new Error(`the database holds the milestone ${row.milestone}`);
  const reason = PLAN_END_REASONS.find((known) => known === row.reason) ?? null;
  const change = row.price_change === null ? {} : { priceChange: priceChange.parse(row.price_change) };
  return { kind: 'plan', milestone, reason, effectiveAt, ...change };
}
