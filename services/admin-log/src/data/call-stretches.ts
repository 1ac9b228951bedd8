import type { Pool } from 'pg';
import type { CallFilter } from '../domain/call-filter.ts';
import type { CountedStretch } from '../domain/call-log.ts';
import { filterSql, kindSql, newParameters, timeSql } from './call-filter-sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A stretch of time; `toMs` is not included. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * How many calls fit: whole days and hours from the kept counts, and what the range begins and ends with before and
 * after them counted one by one, which is less than an hour each.
 */
export async function stretches(pool: Pool, filter: CallFilter): Promise<CountedStretch[]> {
  const { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = filter;
  const hours = inside({ fromMs, toMs }, HOUR_MS);
  if (hours.fromMs >= hours.toMs) return [await countOneByOne(pool, filter, { fromMs, toMs })];
  const days = inside(hours, DAY_MS);
  const hasDays = days.fromMs < days.toMs;
  const [newest, kept, oldest] = await Promise.all([
    countOneByOne(pool, filter, { fromMs: hours.toMs, toMs }),
    readCounts(pool, filter, {
      days: hasDays ? days : undefined,
      hours: hasDays
        ? [
            { fromMs: hours.fromMs, toMs: days.fromMs },
            { fromMs: days.toMs, toMs: hours.toMs },
          ]
        : [hours],
    }),
    countOneByOne(pool, filter, { fromMs, toMs: hours.fromMs }),
  ]);
  return [newest, ...kept, oldest];
}

/** The hours of one of the days that `stretches` gave. */
export function hoursOf(pool: Pool, filter: CallFilter, day: Span): Promise<CountedStretch[]> {
  return readCounts(pool, filter, { days: undefined, hours: [day] });
}

/** The largest stretch of whole units within a span. */
function inside({ fromMs, toMs }: Span, unitMs: number): Span {
  return { fromMs: Math.ceil(fromMs / unitMs) * unitMs, toMs: Math.floor(toMs / unitMs) * unitMs };
}

async function readCounts(
  pool: Pool,
  filter: CallFilter,
  spans: { days: Span | undefined; hours: readonly Span[] },
): Promise<CountedStretch[]> {
  const parameters = newParameters();
  const { add, values } = parameters;
  const during = (grain: 'day' | 'hour', { fromMs, toMs }: Span) =>
    `(grain = '${grain}' AND bucket >= ${add(timeSql(fromMs))}::timestamptz AND bucket < ${add(timeSql(toMs))}::timestamptz)`;
  const wanted = [
    ...(spans.days ? [during('day', spans.days)] : []),
    ...spans.hours.filter(({ fromMs, toMs }) => fromMs < toMs).map((span) => during('hour', span)),
  ];
  const kinds = kindSql(filter, parameters).map((condition) => ` AND ${condition}`);
  const { rows } = await pool.query<{ grain: 'day' | 'hour'; bucket: Date; calls: number }>(
    `SELECT grain, bucket, sum(calls)::float8 AS calls FROM call_counts
     WHERE (${wanted.join(' OR ')})${kinds.join('')} GROUP BY grain, bucket ORDER BY bucket DESC`,
    values,
  );
  return rows.map(({ grain, bucket, calls }) => {
    const fromMs = bucket.getTime();
    return { fromMs, toMs: fromMs + (grain === 'day' ? DAY_MS : HOUR_MS), calls, isDay: grain === 'day' };
  });
}

async function countOneByOne(pool: Pool, filter: CallFilter, span: Span): Promise<CountedStretch> {
  if (!(span.fromMs < span.toMs)) return { ...span, calls: 0, isDay: false };
  const parameters = newParameters();
  const { from, where } = filterSql({ ...filter, ...span }, parameters);
  const { rows } = await pool.query<{ calls: number }>(
    `SELECT count(*)::int AS calls FROM ${from} WHERE ${where.join(' AND ')}`,
    parameters.values,
  );
  return { ...span, calls: rows[0]?.calls ?? 0, isDay: false };
}
