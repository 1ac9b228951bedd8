import { MONITORING_FREQUENCIES } from '@casewatch/contracts/limits';
import type { SavedCaseSort } from '@casewatch/contracts/workspace';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { WorkspaceQuery } from '../../api/workspace.ts';
import { dayFromToday } from '../../lib/case-date-words.ts';

/** What the sort menu offers, and how it says so; the contract's list without zod. */
export const SORTS = [
  'created',
  'changed',
  'status',
  'receipt',
  'nickname',
  'form',
  'monitoring',
  'date',
] as const;
export const SORT_NAMES: Readonly<Record<SavedCaseSort, MessageDescriptor>> = {
  created: msg`Date saved`,
  changed: msg`Last change`,
  status: msg`Status`,
  receipt: msg`Receipt number`,
  nickname: msg`Nickname`,
  form: msg`Form`,
  monitoring: msg`Monitoring`,
  date: msg`Next date`,
};

const FILTERS = [
  'search',
  'status',
  'needsAction',
  'form',
  'tag',
  'monitoring',
  'changedSince',
  'dateUntil',
  'archived',
] as const;
export type WorkspaceFilter = (typeof FILTERS)[number];

const TEXT_MAX = { search: 100, status: 1_000, form: 100, tag: 100 } as const;
/** In how many days at the most a date is due, as the address has it; -1: it has passed. */
export const DUE_WITHIN = ['-1', '7', '14', '30'] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns what an address asks for. What no server would take is left out, so that an old or mistyped link still shows cases. */
export function workspaceQueryOf(parameters: URLSearchParams): WorkspaceQuery {
  const sort = SORTS.find((one) => one === parameters.get('sort')) ?? 'created';
  const order = parameters.get('order');
  const monitoring = (['any', ...MONITORING_FREQUENCIES] as const).find(
    (one) => one === parameters.get('monitoring'),
  );
  const since = parameters.get('changedSince') ?? '';
  const due = DUE_WITHIN.find((days) => days === parameters.get('dateUntil'));
  const isDay = DAY.test(since) && !Number.isNaN(Date.parse(since));
  return {
    ...textOf(parameters, 'search'),
    ...textOf(parameters, 'status'),
    ...textOf(parameters, 'form'),
    ...textOf(parameters, 'tag'),
    ...(monitoring ? { monitoring } : {}),
    ...(isDay ? { changedSince: beginOf(since) } : {}),
    ...(due ? { dateUntil: dayFromToday(Number(due)) } : {}),
    ...(parameters.get('needsAction') === 'true' ? { needsAction: true } : {}),
    ...(parameters.get('archived') === 'true' ? { archived: true } : {}),
    sort,
    order: order === 'asc' || order === 'desc' ? order : firstOrderOf(sort),
  };
}

/** The day's midnight here, with the offset: the day counts as well, for what the agency dates in no time zone. */
function beginOf(day: string): string {
  const midnight = `${day}T00:00:00`;
  const aheadMinutes = -new Date(midnight).getTimezoneOffset();
  const twoDigits = (count: number) => String(Math.trunc(count)).padStart(2, '0');
  const ahead = Math.abs(aheadMinutes);
  return `${midnight}${aheadMinutes < 0 ? '-' : '+'}${twoDigits(ahead / 60)}:${twoDigits(ahead % 60)}`;
}

/** Returns the order that a person most likely wants first: the newest, or the beginning of the alphabet. */
export function firstOrderOf(sort: SavedCaseSort): 'asc' | 'desc' {
  return sort === 'created' || sort === 'changed' ? 'desc' : 'asc';
}

/** Returns how many filters apply. */
export function countFilters(parameters: URLSearchParams): number {
  const query = workspaceQueryOf(parameters);
  return FILTERS.filter((name) => query[name] !== undefined).length;
}

/** Returns the address with other filters or another order; an empty text removes a filter. */
export function withParameters(
  parameters: URLSearchParams,
  changes: Partial<Record<WorkspaceFilter | 'sort' | 'order', string>>,
): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

export function withoutFilters(parameters: URLSearchParams): URLSearchParams {
  return withParameters(parameters, Object.fromEntries(FILTERS.map((name) => [name, ''])));
}

function textOf<Name extends keyof typeof TEXT_MAX>(parameters: URLSearchParams, name: Name) {
  const value = (parameters.get(name) ?? '').replaceAll('\u0000', '').trim().slice(0, TEXT_MAX[name]);
  return value === '' ? {} : { [name]: value };
}
