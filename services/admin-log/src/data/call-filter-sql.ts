import { nameKeyOf } from '@casewatch/contracts/find-users';
import type { CallFilter, Condition } from '../domain/call-filter.ts';
import { isFailuresOfReceipt } from '../domain/call-log.ts';
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

/** FROM and WHERE of a filter; the table of calls is `c`. */
export interface FilterSql {
  readonly from: string;
  readonly where: readonly string[];
}

/** Returns the SQL of a filter. `areFew`: what fits is so little that it can be looked up and sorted, instead of met in the order of time. */
export function filterSql(filter: CallFilter, parameters: Parameters, hasFewMatches = false): FilterSql {
  const { add } = parameters;
  if (hasFewMatches && isFailuresOfReceipt(filter)) return fewFailuresSql(filter, parameters);
  const where = [
    ...kindSql(filter, parameters, 'c.'),
    ...userSql(filter, parameters),
    ...receiptSql(filter, parameters),
  ];
  if (filter.request !== undefined)
    where.push(
      `c.request_id BETWEEN ${add(filter.request.first)}::uuid AND ${add(filter.request.last)}::uuid`,
    );
  if (filter.traceId !== undefined) where.push(`c.trace_id = ${add(filter.traceId)}`);
  for (const condition of filter.conditions ?? []) where.push(conditionSql(condition, parameters));
  return { from: 'calls AS c', where: [...where, ...timesSql('c.created_at', filter, parameters.add)] };
}

/** The order of a subquery with OFFSET is its own: PostgreSQL looks the rows up, in the index of failures by receipt number. */
function fewFailuresSql(filter: CallFilter, parameters: Parameters): FilterSql {
  const fits = ['NOT c.success', ...receiptSql(filter, parameters)].join(' AND ');
  const from = `(SELECT * FROM calls AS c WHERE ${fits} OFFSET 0) AS c`;
  return {
    from,
    where: [...kindSql(filter, parameters, 'c.'), ...timesSql('c.created_at', filter, parameters.add)],
  };
}

function receiptSql({ receiptNumber, receiptStart }: CallFilter, { add }: Parameters): string[] {
  return [
    ...(receiptNumber === undefined ? [] : [`c.receipt_number = ${add(receiptNumber)}`]),
    ...(receiptStart === undefined
      ? []
      : [
          `c.receipt_number >= ${add(receiptStart)} AND c.receipt_number < ${add(`${receiptStart}\u{10FFFF}`)}`,
        ]),
  ];
}

/** Returns the SQL of a range of times: `fromMs` is included, `toMs` is not. */
export function timesSql(
  column: string,
  { fromMs, toMs }: { fromMs?: number | undefined; toMs?: number | undefined },
  add: Parameters['add'],
): string[] {
  return [
    ...(fromMs === undefined ? [] : [`${column} >= ${add(timeSql(fromMs))}::timestamptz`]),
    ...(toMs === undefined ? [] : [`${column} < ${add(timeSql(toMs))}::timestamptz`]),
  ];
}

/** Longer lists are met in the order of time: each user's calls are read up to the page. */
const MAX_READ_ONE_BY_ONE = 10;

/**
 * Returns the conditions of a search for a few users by any name, one for each index that has them in order: of each user, and of
 * the first name. Undefined for others, and where more is asked, which an index of its own may serve better.
 */
export function anyNameSql(
  { nameStart, alsoUserIds, fromMs, toMs, ...others }: CallFilter,
  parameters: Parameters,
): readonly string[] | undefined {
  if (nameStart === undefined || alsoUserIds === undefined || Object.keys(others).length > 0)
    return undefined;
  if (alsoUserIds.length > MAX_READ_ONE_BY_ONE) return undefined;
  const times = timesSql('c.created_at', { fromMs, toMs }, parameters.add);
  const users = alsoUserIds.map((userId) => ({ userId }));
  return [{ nameStart }, ...users].map((each) => [...userSql(each, parameters), ...times].join(' AND '));
}

function userSql({ userId, nameStart, alsoUserIds }: CallFilter, { add }: Parameters): string[] {
  if (userId !== undefined) return [`c.user_id = ${add(userId)}::uuid`];
  if (nameStart === undefined) return [];
  const byName = `c.name_key LIKE ${add(startPattern(nameKeyOf(nameStart)))}`;
  // Users' lookups have an index of their own.
  return [
    `c.source = 'user'`,
    alsoUserIds ? `(${byName} OR c.user_id = ANY(${add(alsoUserIds)}::uuid[]))` : byName,
  ];
}

function conditionSql(condition: Condition, { add }: Parameters): string {
  if ('words' in condition) {
    if (isUnusual(condition)) {
      const others = condition.words.filter((word) => word !== 'answered' && word !== 'stored');
      return others.length === 0 ? UNUSUAL : `${UNUSUAL} AND c.outcome <> ALL(${add(others)}::text[])`;
    }
    const column = `c.${COLUMNS[condition.field]}`;
    const [only] = condition.words;
    const is =
      condition.words.length === 1
        ? `${column} = ${add(only)}`
        : `${column} = ANY(${add(condition.words)}::text[])`;
    return condition.isNot ? `(${is}) IS NOT TRUE` : is;
  }
  const column = condition.field === 'ms' ? 'c.duration_ms' : 'c.status_code';
  const parts = [
    ...(condition.from > Number.MIN_SAFE_INTEGER ? [`${column} >= ${add(condition.from)}::integer`] : []),
    ...(condition.to < Number.MAX_SAFE_INTEGER ? [`${column} <= ${add(condition.to)}::integer`] : []),
  ];
  const is = parts.join(' AND ') || 'true';
  return condition.isNot ? `(${is}) IS NOT TRUE` : is;
}

/** As in the predicate of the partial index, and only once: twice would look as if far fewer rows fit. */
const UNUSUAL = "c.outcome NOT IN ('answered', 'stored')";

function isUnusual(condition: Condition): boolean {
  if (!('words' in condition) || condition.field !== 'outcome' || !condition.isNot) return false;
  return condition.words.includes('answered') && condition.words.includes('stored');
}

const COLUMNS = {
  outcome: 'outcome',
  code: 'code',
  cause: 'cause',
  via: 'origin',
  tier: 'tier',
  source: 'source',
} as const;

/** Returns the part of a filter that counts are kept for. */
export function kindSql(filter: CallFilter, { add }: Parameters, table = ''): string[] {
  return [
    ...(filter.source === undefined ? [] : [`${table}source = ${add(filter.source)}`]),
    ...(filter.success === undefined ? [] : [`${table}success = ${add(filter.success)}`]),
    ...(filter.statusCode === undefined ? [] : [`${table}status_code = ${add(filter.statusCode)}`]),
  ];
}

/** Returns a time as PostgreSQL reads it, also one without end or beyond the years that can be written. */
export function timeSql(ms: number): string {
  if (isKnownTime(ms)) return new Date(ms).toISOString();
  return ms > 0 ? 'infinity' : '-infinity';
}

/** Returns the pattern of LIKE for texts that begin so. */
export function startPattern(start: string): string {
  return `${start.replace(/[\\%_]/g, '\\$&')}%`;
}
