import type { AuditFilters } from '@casewatch/contracts/admin-log';
import type { PayloadOf } from '@casewatch/contracts/event-type';
import { adminActed } from '@casewatch/contracts/events';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import type { AuditActor } from '@casewatch/service-kit/http/route';
import type { CallFilter, Condition } from '../domain/call-filter.ts';
import type { ExportFormat } from '../domain/export-calls.ts';

/** Every event type that this service publishes. */
export const publishes = [adminActed] as const;

/** Builds the event for an export of the log: its filter, without user or case. */
export function toLogsExported(
  filter: CallFilter,
  format: ExportFormat,
  actor: AuditActor,
): PayloadOf<typeof adminActed> {
  const {
    receiptNumber,
    receiptStart,
    userId,
    nameStart,
    alsoUserIds,
    request,
    traceId,
    fromMs,
    toMs,
    conditions,
    ...kind
  } = filter;
  const details = Object.entries({
    format,
    ...kind,
    ...(receiptNumber === undefined ? {} : { receiptNumber: maskReceiptNumber(receiptNumber) }),
    ...(receiptStart === undefined ? {} : { receiptNumber: 'the beginning of one' }),
    ...(request === undefined && traceId === undefined ? {} : { request: 'one' }),
    ...(userId === undefined && nameStart === undefined ? {} : { user: 'one' }),
    ...(conditions === undefined ? {} : { search: conditions.map(conditionText).join(' ') }),
    ...(fromMs === undefined ? {} : { from: new Date(fromMs).toISOString() }),
    ...(toMs === undefined ? {} : { to: new Date(toMs).toISOString() }),
  });
  return {
    action: 'logs.exported',
    subject: 'logs',
    success: true,
    ...actor,
    details: Object.fromEntries(details.map(([name, value]) => [name, String(value)])),
  };
}

/** As it is written in a search. Words are from lists, so that none is personal data. */
function conditionText(condition: Condition): string {
  const sign = condition.isNot ? '-' : '';
  if ('words' in condition) return `${sign}${condition.field}:${condition.words.join(',')}`;
  const { field, from, to } = condition;
  if (to === Number.MAX_SAFE_INTEGER) return `${sign}${field}:>=${from}`;
  return `${sign}${field}:${from === Number.MIN_SAFE_INTEGER ? `<=${to}` : `${from}..${to}`}`;
}

/** Builds the event for an export of the audit trail, with its filter. */
export function toAuditExported(filters: AuditFilters, actor: AuditActor): PayloadOf<typeof adminActed> {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return {
    action: 'audit.exported',
    subject: 'audit',
    success: true,
    ...actor,
    details: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  };
}
