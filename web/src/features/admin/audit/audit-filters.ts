import type { AuditFilterTexts } from '../../../api/admin-logs.ts';

const NAMES = ['action', 'subject', 'actor', 'success', 'from', 'to'] as const;

/** Returns the filters that an address holds; what makes no sense there is left out. */
export function readAuditFilters(params: URLSearchParams): AuditFilterTexts {
  const filters: AuditFilterTexts = {};
  const action = params.get('action')?.trim();
  if (action) filters.action = action.slice(0, 60);
  const subject = params.get('subject')?.trim();
  if (subject) filters.subject = subject.slice(0, 100);
  const actor = params.get('actor')?.trim();
  if (actor) filters.actor = actor.slice(0, 100);
  const success = params.get('success');
  if (success === 'true' || success === 'false') filters.success = success;
  for (const end of ['from', 'to'] as const) {
    const moment = new Date(params.get(end) ?? '');
    if (!Number.isNaN(moment.getTime())) filters[end] = moment.toISOString();
  }
  return filters;
}

/** Returns the same address with other filters. */
export function withAuditFilters(params: URLSearchParams, filters: AuditFilterTexts): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of NAMES) {
    const value = filters[name];
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
