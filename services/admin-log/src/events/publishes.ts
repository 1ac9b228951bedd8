import type { AuditFilters } from '@casewatch/contracts/admin-log';
import type { PayloadOf } from '@casewatch/contracts/event-type';
import { adminActed } from '@casewatch/contracts/events';
import { isReceiptNumber, maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import type { AuditActor } from '@casewatch/service-kit/http/route';
import type { CallFilter } from '../domain/call-filter.ts';
import type { ExportFormat } from '../domain/export-calls.ts';

/** Every event type that this service publishes. */
export const publishes = [adminActed] as const;

/** Builds the event for an export of the log: its filter, without user or case. */
export function toLogsExported(
  filter: CallFilter,
  format: ExportFormat,
  who: AuditActor,
): PayloadOf<typeof adminActed> {
  const { receiptNumber, userId, nameStart, fromMs, toMs, ...kind } = filter;
  const details = Object.entries({
    format,
    ...kind,
    ...(receiptNumber === undefined ? {} : { receiptNumber: masked(receiptNumber) }),
    ...(userId === undefined && nameStart === undefined ? {} : { user: 'one' }),
    ...(fromMs === undefined ? {} : { from: new Date(fromMs).toISOString() }),
    ...(toMs === undefined ? {} : { to: new Date(toMs).toISOString() }),
  });
  return {
    action: 'logs.exported',
    subject: 'logs',
    success: true,
    ...who,
    details: Object.fromEntries(details.map(([name, value]) => [name, String(value)])),
  };
}

/** Builds the event for an export of the audit trail, with its filter. */
export function toAuditExported(filters: AuditFilters, who: AuditActor): PayloadOf<typeof adminActed> {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return {
    action: 'audit.exported',
    subject: 'audit',
    success: true,
    ...who,
    details: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  };
}

/** A filter takes any text: one that is not a receipt number is left out, since it may be personal data. */
function masked(text: string): string {
  return isReceiptNumber(text) ? maskReceiptNumber(text) : 'no receipt number';
}
