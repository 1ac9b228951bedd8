import { type ApiLog, apiLog } from '@casewatch/contracts/admin-log';
import { TIERS } from '@casewatch/contracts/limits';
import {
  causeOf,
  isLookupCode,
  isLookupOutcome,
  LOOKUP_ORIGINS,
  LOOKUP_REASONS,
} from '@casewatch/contracts/lookup-outcomes';
import type { Pool } from 'pg';
import type { CallFilter } from '../domain/call-filter.ts';
import type { CallLog } from '../domain/call-log.ts';
import { toCursor } from '../domain/position.ts';
import { anyNameSql, type FilterSql, filterSql, newParameters, timeSql } from './call-filter-sql.ts';
import { countRanges, hoursOf } from './count-ranges.ts';

interface Row {
  id: string;
  created_at: Date;
  receipt_number: string;
  user_id: string | null;
  user_first_name: string | null;
  status_code: number | null;
  success: boolean;
  duration_ms: number;
  payload: string | null;
  earlier_calls: unknown;
  source: 'user' | 'monitor';
  outcome: string;
  code: string | null;
  queue_ms: number;
  agency_ms: number;
  agency_calls: number;
  request_id: string | null;
  trace_id: string | null;
  tier: string | null;
  origin: string | null;
  served_stale: boolean;
}

interface Place {
  created_at: Date;
  id: string;
}

/** A payload is shown with the lookups of its time of keeping, however long it is stored for others. */
const READ = `
  SELECT c.*, p.text AS payload,
    (SELECT json_agg(call.value || jsonb_build_object('responsePayload', (
         SELECT text FROM payloads WHERE hash = decode(call.value->>'payloadHash', 'hex') AND c.created_at >= $5))
       ORDER BY call.ordinality)
     FROM jsonb_array_elements(c.earlier_calls) WITH ORDINALITY AS call) AS earlier_calls
  FROM unnest($1::timestamptz[], $2::uuid[]) AS place (created_at, id)
  JOIN calls AS c ON c.created_at = place.created_at AND c.id = place.id AND c.created_at BETWEEN $3 AND $4
  LEFT JOIN payloads AS p ON p.hash = c.payload_hash AND c.created_at >= $5
  ORDER BY c.created_at DESC, c.id DESC`;

const earlierCalls = apiLog.shape.earlierCalls.nullable().transform((calls) => calls ?? []);

interface PageSql {
  /** What a position is compared by, and where it lies. */
  edge?: { operator: '<' | '>'; atMs: number; id: string } | undefined;
  beforeMs?: number | undefined;
  skip?: number | undefined;
  hasFewMatches?: boolean | undefined;
  limit: number;
  order: 'ASC' | 'DESC';
  payloadsSinceMs: number;
}

/**
 * Creates the calls on PostgreSQL. The statements are planned anew for their values each time (they have no name): which
 * index is best depends on how many calls fit.
 */
export function createCallLog(pool: Pool): CallLog {
  /** Where the calls of the page stand, from an index alone, and then the calls. */
  async function page(filter: CallFilter, asked: PageSql): Promise<ApiLog[]> {
    const parameters = newParameters();
    const { add, values } = parameters;
    const names = anyNameSql(filter, parameters);
    const { from, where } = names
      ? { from: 'calls AS c', where: [] }
      : filterSql(filter, parameters, asked.hasFewMatches);
    const conditions: string[] = [...where];
    if (asked.edge) {
      const { operator, atMs, id } = asked.edge;
      const at = `${add(timeSql(atMs))}::timestamptz`;
      // The first one says the same again, for the choice of partitions.
      conditions.push(`c.created_at ${operator}= ${at}`);
      conditions.push(`(c.created_at, c.id) ${operator} (${at}, ${add(id)}::uuid)`);
    }
    if (asked.beforeMs !== undefined) {
      conditions.push(`c.created_at < ${add(timeSql(asked.beforeMs))}::timestamptz`);
    }
    const order = `c.created_at ${asked.order}, c.id ${asked.order}`;
    const skip = asked.skip ?? 0;
    const places = (most: string, more: readonly string[] = []) =>
      `SELECT c.created_at, c.id FROM ${from} WHERE ${all([...conditions, ...more])} ORDER BY ${order} ${most}`;
    const most = `OFFSET ${add(skip)} LIMIT ${add(asked.limit)}`;
    const end = names && `LIMIT ${add(skip + asked.limit)}`;
    const { rows } = await pool.query<Place>(
      names && end
        ? `SELECT c.created_at, c.id FROM (${names.map((name) => `(${places(end, [name])})`).join(' UNION ')}) AS c
           ORDER BY ${order} ${most}`
        : places(most),
      values,
    );
    return callsAt(rows, asked.payloadsSinceMs);
  }

  /** A separate statement: with known times, only the partitions of these calls are read. */
  async function callsAt(places: readonly Place[], payloadsSinceMs: number): Promise<ApiLog[]> {
    if (places.length === 0) return [];
    const times = places.map(({ created_at }) => created_at.getTime());
    const { rows } = await pool.query<Row>(READ, [
      places.map(({ created_at }) => created_at),
      places.map(({ id }) => id),
      new Date(Math.min(...times)),
      new Date(Math.max(...times)),
      new Date(payloadsSinceMs),
    ]);
    return rows.map(toApiLog);
  }

  return {
    older: (filter, { olderThan, ...start }, limit, payloadsSinceMs) =>
      page(filter, {
        ...start,
        edge: olderThan && { operator: '<', ...olderThan },
        limit,
        order: 'DESC',
        payloadsSinceMs,
      }),
    at: async ({ atMs, id }, payloadsSinceMs) =>
      (await callsAt([{ created_at: new Date(atMs), id }], payloadsSinceMs))[0],
    newer: (filter, than, limit, payloadsSinceMs) =>
      page(filter, { edge: { operator: '>', ...than }, limit, order: 'ASC', payloadsSinceMs }),
    async countUpTo(filter, most) {
      const parameters = newParameters();
      const limit = `LIMIT ${parameters.add(most + 1)}`;
      // Looked up, however many they are: no more are read than are counted.
      const ofFilter = ({ from, where }: FilterSql) => `SELECT 1 FROM ${from} WHERE ${all(where)}`;
      const ofNames = (names: readonly string[]) =>
        `SELECT 1 FROM (${names
          .map((name) => `(SELECT c.created_at, c.id FROM calls AS c WHERE ${name} ${limit})`)
          .join(' UNION ')}) AS c`;
      const names = anyNameSql(filter, parameters);
      const found = names ? ofNames(names) : ofFilter(filterSql(filter, parameters, true));
      const { rows } = await pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM (${found} ${limit}) AS found`,
        parameters.values,
      );
      return rows[0]?.count ?? 0;
    },
    countRanges: (filter) => countRanges(pool, filter),
    hoursOf: (filter, day) => hoursOf(pool, filter, day),
  };
}

function all(conditions: readonly string[]): string {
  return conditions.length > 0 ? conditions.join(' AND ') : 'true';
}

function toApiLog(row: Row): ApiLog {
  const { code, outcome } = row;
  if (!isLookupOutcome(outcome)) throw new Error(`a stored outcome is not known: ${outcome}`);
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    endpoint: `GET /case-status/${row.receipt_number}`,
    receiptNumbers: [row.receipt_number],
    userId: row.user_id,
    userFirstName: row.user_first_name,
    statusCode: row.status_code,
    success: row.success,
    durationMs: row.duration_ms,
    requestPayload: { receiptNumber: row.receipt_number },
    responsePayload: row.payload,
    source: row.source,
    place: toCursor({ atMs: row.created_at.getTime(), id: row.id }),
    outcome,
    cause: causeOf(outcome),
    code,
    reason: code !== null && isLookupCode(code) ? LOOKUP_REASONS[code] : null,
    queueMs: row.queue_ms,
    agencyMs: row.agency_ms,
    agencyCalls: row.agency_calls,
    requestId: row.request_id,
    traceId: row.trace_id,
    tier: TIERS.find((tier) => tier === row.tier) ?? null,
    origin: LOOKUP_ORIGINS.find((origin) => origin === row.origin) ?? null,
    servedStale: row.served_stale,
    earlierCalls: earlierCalls.parse(row.earlier_calls),
  };
}
