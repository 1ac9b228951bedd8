import type { Pool } from 'pg';
import type { CallFilter } from '../domain/call-filter.ts';
import type { CountedRange } from '../domain/call-log.ts';
import { filterSql, kindSql, newParameters, timeSql } from './call-filter-sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A time range; `toMs` is exclusive. */
interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Counts the matching calls: whole days and hours from the stored counts, and the rest at both ends of the range, less
 * than an hour each, one by one.
 */
export async function countRanges(pool: Pool, filter: CallFilter): Promise<CountedRange[]> {
  const { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = filter;
  const hours = wholeUnits({ fromMs, toMs }, HOUR_MS);
  if (hours.fromMs >= hours.toMs) return [await countOneByOne(pool, filter, { fromMs, toMs })];
  const days = wholeUnits(hours, DAY_MS);
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

/** Returns the hours of one of the days that `countRanges` returned. */
export function hoursOf(pool: Pool, filter: CallFilter, day: TimeRange): Promise<CountedRange[]> {
  return readCounts(pool, filter, { days: undefined, hours: [day] });
}

/** Returns the largest range of whole units within a range. */
function wholeUnits({ fromMs, toMs }: TimeRange, unitMs: number): TimeRange {
  return { fromMs: Math.ceil(fromMs / unitMs) * unitMs, toMs: Math.floor(toMs / unitMs) * unitMs };
}

async function readCounts(
  pool: Pool,
  filter: CallFilter,
  ranges: { days: TimeRange | undefined; hours: readonly TimeRange[] },
): Promise<CountedRange[]> {
  const parameters = newParameters();
  const { add, values } = parameters;
  const during = (grain: 'day' | 'hour', { fromMs, toMs }: TimeRange) =>
    `(grain = '${grain}' AND bucket >= ${add(timeSql(fromMs))}::timestamptz AND bucket < ${add(timeSql(toMs))}::timestamptz)`;
  const wanted = [
    ...(ranges.days ? [during('day', ranges.days)] : []),
    ...ranges.hours.filter(({ fromMs, toMs }) => fromMs < toMs).map((range) => during('hour', range)),
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

async function countOneByOne(pool: Pool, filter: CallFilter, range: TimeRange): Promise<CountedRange> {
  if (!(range.fromMs < range.toMs)) return { ...range, calls: 0, isDay: false };
  const parameters = newParameters();
  const { from, where } = filterSql({ ...filter, ...range }, parameters);
  const { rows } = await pool.query<{ calls: number }>(
    `SELECT count(*)::int AS calls FROM ${from} WHERE ${where.join(' AND ')}`,
    parameters.values,
  );
  return { ...range, calls: rows[0]?.calls ?? 0, isDay: false };
}
