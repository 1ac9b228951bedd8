import { hash } from 'node:crypto';
import { nameKeyOf } from '@casewatch/contracts/find-users';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { storableJson } from '@casewatch/service-kit/database/storable-json';
import { startOfMonth } from '@casewatch/service-kit/runtime/clock';
import type { Call } from '../domain/call.ts';
import type { CallRecorder } from '../domain/call-log.ts';
import { durationStep } from '../domain/call-overview.ts';
import { dateOf } from '../domain/retention.ts';

/**
 * One statement for any number of lookups. Only stored ones are counted: a repeated one is neither.
 * Counts are written in one order, so that two batches never deadlock. Latencies are those of the agency.
 * A check of a schedule that succeeds makes no receipt number frequent: it comes once a day at most.
 */
const RECORD = `
  WITH called AS (
    SELECT DISTINCT ON (row.id) row.*, deleted.user_id IS NULL AS "isKnown"
    FROM json_to_recordset($1::json) AS row (
      id uuid, "createdAt" timestamptz, "receiptNumber" text, "userId" uuid, "userFirstName" text, "nameKey" text,
      source text, "statusCode" integer, success boolean, "durationMs" integer, "durationStep" integer, outcome text,
      cause text, code text, "queueMs" integer, "agencyMs" integer, "agencyCalls" smallint, "requestId" uuid,
      "traceId" text, tier text, origin text, "servedStale" boolean, "payloadHash" text, "earlierCalls" jsonb)
    LEFT JOIN deleted_users AS deleted ON deleted.user_id = row."userId"
  ), stored AS (
    INSERT INTO calls (created_at, id, receipt_number, user_id, user_first_name, name_key, source, status_code, success,
                       duration_ms, outcome, cause, code, queue_ms, agency_ms, agency_calls, request_id, trace_id, tier,
                       origin, served_stale, payload_hash, earlier_calls)
    SELECT "createdAt", id, "receiptNumber", CASE WHEN "isKnown" THEN "userId" END,
           CASE WHEN "isKnown" THEN "userFirstName" END, CASE WHEN "isKnown" THEN "nameKey" END, source, "statusCode",
           success, "durationMs", outcome, cause, code, "queueMs", "agencyMs", "agencyCalls", "requestId", "traceId",
           tier, origin, "servedStale", decode("payloadHash", 'hex'), "earlierCalls"
    FROM called ORDER BY "createdAt", id
    ON CONFLICT DO NOTHING
    RETURNING created_at, id
  ), fresh AS (
    SELECT called.*, stored.created_at FROM called JOIN stored USING (id)
  ), counted AS (
    INSERT INTO call_counts AS kept (grain, bucket, source, success, status_code, calls)
    SELECT grain, date_trunc(grain, created_at, 'UTC'), source, success, coalesce("statusCode", 0), count(*)
    FROM fresh CROSS JOIN unnest(ARRAY['day', 'hour']) AS grain
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (grain, bucket, source, success, status_code) DO UPDATE SET calls = kept.calls + excluded.calls
  ), asked AS (
    INSERT INTO receipt_counts AS kept (day, receipt_number, lookups)
    SELECT date_trunc('day', created_at, 'UTC'), "receiptNumber", count(*) FROM fresh
    WHERE NOT (origin = 'scheduled' AND success) GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (day, receipt_number) DO UPDATE SET lookups = kept.lookups + excluded.lookups
  ), judged AS (
    INSERT INTO outcome_counts AS kept (bucket, outcome, lookups, agency_calls)
    SELECT date_bin('10 minutes', created_at, '2000-01-01Z'), outcome, count(*), sum("agencyCalls")
    FROM fresh GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (bucket, outcome) DO UPDATE
    SET lookups = kept.lookups + excluded.lookups, agency_calls = kept.agency_calls + excluded.agency_calls
  )
  INSERT INTO call_durations AS kept (hour, duration_ms, calls)
  SELECT date_trunc('hour', created_at, 'UTC'), "durationStep", count(*) FROM fresh
  WHERE "agencyCalls" > 0 GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (hour, duration_ms) DO UPDATE SET calls = kept.calls + excluded.calls`;

export const callRecorder: CallRecorder = { record: recordCalls, eraseUser };

async function recordCalls(tx: SqlExecutor, calls: readonly Call[], sinceMs: number): Promise<void> {
  const kept = calls.filter(({ createdAtMs }) => createdAtMs >= sinceMs);
  if (kept.length === 0) return;
  const months = new Set(kept.map(({ createdAtMs }) => startOfMonth(createdAtMs)));
  await tx.query(
    'SELECT ensure_log_month(month)::text FROM unnest($1::date[]) AS month',
    [[...months].map(dateOf).sort()],
    'ensure_log_months',
  );
  await lockUsersShared(
    tx,
    kept.flatMap(({ userId }) => userId ?? []),
  );
  await writePayloads(tx, kept);
  await tx.query(RECORD, [storableJson(kept.map(toRow))], 'record_calls');
}

/** As JSON leaves out what is undefined: PostgreSQL reads each name of it, and most rows have half of them only. */
function toRow(call: Call): object {
  const { payload, earlierCalls } = call;
  return {
    id: call.id,
    createdAt: new Date(call.createdAtMs).toISOString(),
    receiptNumber: call.receiptNumber,
    userId: call.userId ?? undefined,
    userFirstName: call.userFirstName ?? undefined,
    nameKey: call.userFirstName === null ? undefined : nameKeyOf(call.userFirstName),
    source: call.source,
    statusCode: call.statusCode ?? undefined,
    success: call.success,
    durationMs: call.durationMs,
    durationStep: durationStep(call.agencyMs),
    outcome: call.outcome,
    cause: call.cause ?? undefined,
    code: call.code ?? undefined,
    queueMs: call.queueMs,
    agencyMs: call.agencyMs,
    agencyCalls: call.agencyCalls,
    requestId: call.requestId ?? undefined,
    traceId: call.traceId ?? undefined,
    tier: call.tier ?? undefined,
    origin: call.origin,
    servedStale: call.servedStale,
    payloadHash: payload === null ? undefined : hashOf(payload),
    earlierCalls: earlierCalls?.map(({ payload: text, ...earlier }) => ({
      ...earlier,
      payloadHash: hashOf(text),
    })),
  };
}

/**
 * In the order of the hashes, so that two batches never deadlock. A payload that was seen on that day already is not even locked: most
 * are seen once a day at most, and an error page by all lookups of a minute.
 */
const WRITE_PAYLOADS = `
  INSERT INTO payloads AS kept (hash, text, last_seen)
  SELECT decode(seen.hash, 'hex'), seen.text, seen.day
  FROM json_to_recordset($1::json) AS seen (hash text, text text, day date)
  WHERE NOT EXISTS (SELECT FROM payloads WHERE hash = decode(seen.hash, 'hex') AND last_seen >= seen.day)
  ORDER BY 1
  ON CONFLICT (hash) DO UPDATE SET last_seen = excluded.last_seen WHERE kept.last_seen < excluded.last_seen`;

/** Returns the name of a payload: the SHA-256 of its text, in hexadecimal. */
function hashOf(payload: string): string {
  return hash('sha256', payload, 'hex');
}

/** Stores the payloads of these lookups, each text once, with the last day (UTC) on which it was seen. */
async function writePayloads(tx: SqlExecutor, calls: readonly Call[]): Promise<void> {
  const seen = new Map<string, { text: string; day: string }>();
  for (const { createdAtMs, payload, earlierCalls } of calls) {
    if (payload === null) continue;
    const day = dateOf(createdAtMs);
    for (const text of [payload, ...(earlierCalls ?? []).map((call) => call.payload)]) {
      const before = seen.get(hashOf(text));
      if (!before || before.day < day) seen.set(hashOf(text), { text, day });
    }
  }
  if (seen.size === 0) return;
  const rows = [...seen].map(([name, facts]) => ({ hash: name, ...facts }));
  await tx.query(WRITE_PAYLOADS, [JSON.stringify(rows)], 'write_payloads');
}

/** Removes the user's id and name from every call, and leaves a tombstone for late events. */
export async function eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void> {
  await lockUser(tx, userId);
  await tx.query(
    'INSERT INTO deleted_users (user_id, deleted_at) VALUES ($1::uuid, $2::timestamptz) ON CONFLICT DO NOTHING',
    [userId, new Date(nowMs)],
  );
  await tx.query(
    'UPDATE calls SET user_id = NULL, user_first_name = NULL, name_key = NULL WHERE user_id = $1::uuid',
    [userId],
  );
}

const key = (user: string) => `hashtextextended('admin-log user ' || ${user}, 0)`;

/** Waits for erasures of these users, and prevents new ones until the transaction ends. */
export async function lockUsersShared(tx: SqlExecutor, userIds: readonly string[]): Promise<void> {
  const distinct = [...new Set(userIds)].sort();
  if (distinct.length === 0) return;
  await tx.query(`SELECT pg_advisory_xact_lock_shared(${key('id')})::text FROM unnest($1::text[]) AS id`, [
    distinct,
  ]);
}

/** Waits for transactions that store data of this user, and blocks new ones until this one ends. */
export async function lockUser(tx: SqlExecutor, userId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${key('$1')})::text`, [userId]);
}
