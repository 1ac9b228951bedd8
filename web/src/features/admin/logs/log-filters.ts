import { LOG_SEARCH_MAX } from '@casewatch/contracts/log-search';
import type { LogFilterTexts } from '../../../api/admin-logs.ts';

const NAMES = ['q', 'receiptNumber', 'user', 'source', 'success', 'statusCode', 'from', 'to'] as const;

/** Returns the filters that an address holds; what makes no sense there is left out. */
export function readFilters(params: URLSearchParams): LogFilterTexts {
  const filters: LogFilterTexts = {};
  const q = params.get('q')?.trim();
  if (q) filters.q = q.slice(0, LOG_SEARCH_MAX);
  const receiptNumber = params.get('receiptNumber')?.trim();
  if (receiptNumber) filters.receiptNumber = receiptNumber.slice(0, 20);
  const user = params.get('user')?.trim();
  if (user) filters.user = user.slice(0, 100);
  const source = params.get('source');
  if (source === 'user' || source === 'monitor') filters.source = source;
  const success = params.get('success');
  if (success === 'true' || success === 'false') filters.success = success;
  const statusCode = params.get('statusCode')?.trim() ?? '';
  if (/^[1-5]\d\d$/.test(statusCode)) filters.statusCode = statusCode;
  for (const end of ['from', 'to'] as const) {
    const moment = new Date(params.get(end) ?? '');
    if (!Number.isNaN(moment.getTime())) filters[end] = moment.toISOString();
  }
  return filters;
}

/** Returns the same address with other filters, at its first page. */
export function withFilters(params: URLSearchParams, filters: LogFilterTexts): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete('page');
  next.delete('row');
  for (const name of NAMES) {
    const value = filters[name];
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Returns the page that an address asks for, from 1. */
export function readPage(params: URLSearchParams): number {
  const page = Number(params.get('page'));
  return Number.isInteger(page) && page > 1 ? page : 1;
}

export function withPage(params: URLSearchParams, page: number): URLSearchParams {
  const next = new URLSearchParams(params);
  if (page === 1) next.delete('page');
  else next.set('page', String(page));
  return next;
}

/** Returns the place of the row that an address opens. */
export function readRow(params: URLSearchParams): string | undefined {
  return params.get('row') ?? undefined;
}

export function withRow(params: URLSearchParams, place: string | undefined): URLSearchParams {
  const next = new URLSearchParams(params);
  if (place === undefined) next.delete('row');
  else next.set('row', place);
  return next;
}

/** Returns the address of a search alone, from another one: what else it shows is left behind. */
export function searchHref(q: string): string {
  return `?${new URLSearchParams({ q })}`;
}
