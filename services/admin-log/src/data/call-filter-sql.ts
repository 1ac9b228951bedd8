import type { CallFilter } from '../domain/call-filter.ts';
import { isKnownTime } from '../domain/position.ts';

/** A statement's parameters as they are added: `add` gives the place of a value. */
export interface Parameters {
  readonly values: unknown[];
  add(value: unknown): string;
}

export function newParameters(): Parameters {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

/** FROM and WHERE of a filter; `key` is the table by whose time the list is ordered. */
export interface FilterSql {
  readonly from: string;
  readonly key: string;
  readonly where: readonly string[];
}

/** Searches receipt numbers in a separate table, which has them in order of time. */
export function filterSql(filter: CallFilter, parameters: Parameters): FilterSql {
  const { add } = parameters;
  const byReceipt = filter.receiptNumber !== undefined;
  const key = byReceipt ? 'r' : 'c';
  const where: string[] = [...kindSql(filter, parameters, 'c.')];
  if (filter.userId !== undefined) where.push(`c.user_id = ${add(filter.userId)}::uuid`);
  if (filter.nameStart !== undefined) where.push(`c.name_key LIKE ${add(startPattern(filter.nameStart))}`);
  const needsCall = !byReceipt || where.length > 0;
  if (byReceipt) where.push(`r.receipt_number = ${add(filter.receiptNumber)}`);
  if (filter.fromMs !== undefined)
    where.push(`${key}.created_at >= ${add(timeSql(filter.fromMs))}::timestamptz`);
  if (filter.toMs !== undefined) where.push(`${key}.created_at < ${add(timeSql(filter.toMs))}::timestamptz`);
  const calls = 'calls AS c';
  const receipts = 'call_receipts AS r';
  const both = `${receipts} JOIN ${calls} ON c.created_at = r.created_at AND c.id = r.id`;
  const from = byReceipt ? (needsCall ? both : receipts) : calls;
  return { from, key, where };
}

/** The part of a filter that counts are kept for. */
export function kindSql(filter: CallFilter, { add }: Parameters, table = ''): string[] {
  return [
    ...(filter.source === undefined ? [] : [`${table}source = ${add(filter.source)}`]),
    ...(filter.success === undefined ? [] : [`${table}success = ${add(filter.success)}`]),
    ...(filter.statusCode === undefined ? [] : [`${table}status_code = ${add(filter.statusCode)}`]),
  ];
}

/** A time as PostgreSQL reads it, also one without end or beyond the years that can be written. */
export function timeSql(ms: number): string {
  if (isKnownTime(ms)) return new Date(ms).toISOString();
  return ms > 0 ? 'infinity' : '-infinity';
}

function startPattern(start: string): string {
  return `${start.replace(/[\\%_]/g, '\\$&')}%`;
}
