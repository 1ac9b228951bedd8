import type { Tier } from '@casewatch/contracts/limits';
import { movedTime } from '@casewatch/service-kit/database/database-time';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';
import { IS_CALLED } from '../caller/caller-session.ts';
import type {
  AgencyQueue,
  Begun,
  CallerQueue,
  End,
  QueuedLookup,
  QueueState,
  Taken,
} from '../domain/agency-queue.ts';
import type { Requester } from '../domain/lookup.ts';

const leftMs = (column: string) =>
  `greatest(0, extract(epoch FROM ${column} - coalesce($2::timestamptz, clock_timestamp())) * 1000)::float8`;

/** SQL: no other process has become the caller; one that stood still does not know yet. */
const isCaller = (epoch: string) => `${epoch}::bigint = (SELECT epoch FROM agency_caller)`;

const JOIN = `
  INSERT INTO agency_queue (lookup_id, receipt_number, process_id, user_id, tier, requester, until)
  SELECT id, "receiptNumber", $1, "userId", tier, requester, clock_timestamp() + "waitMs" * interval '1 millisecond'
  FROM jsonb_to_recordset($2::jsonb)
    AS row (id uuid, "receiptNumber" text, "userId" uuid, tier text, requester jsonb, "waitMs" integer)`;

/**
 * What the caller has ended; whose turn did not come in time; and what a lost caller has left unanswered. What is being written at
 * this moment is seen the next time: statements about many rows that wait for each other's would do so in a circle. Rows that are missing
 * stay in an index until they are vacuumed: no statement that is repeated all the time may pass them by.
 */
const TAKE = `
  DELETE FROM agency_queue WHERE lookup_id = ANY (ARRAY(
    SELECT lookup_id FROM agency_queue
    WHERE lookup_id = ANY ($2::uuid[]) AND (outcome IS NOT NULL
      OR until < clock_timestamp() - CASE WHEN turn IS NULL THEN interval '0' ELSE $1 * interval '1 millisecond' END)
    FOR UPDATE SKIP LOCKED))
  RETURNING lookup_id AS "lookupId", outcome, turn IS NOT NULL AS "hadTurn",
    CASE WHEN outcome IS NULL THEN coalesce(${isCaller('epoch')}, false) AND ${IS_CALLED} ELSE true END AS "isCalled"`;

const LOST = `
  SELECT id FROM unnest($1::uuid[]) AS id WHERE NOT EXISTS (SELECT FROM agency_queue WHERE lookup_id = id)`;

const LEAVE = `
  WITH removed AS (DELETE FROM agency_queue WHERE lookup_id = $1 AND turn IS DISTINCT FROM 'own' RETURNING lookup_id),
    marked AS (UPDATE agency_queue SET canceled = true WHERE lookup_id = $1 AND turn = 'own')
  SELECT count(*)::integer AS removed FROM removed`;

/** One whose outcome is being written is left to the sweep. */
const ABANDON = `
  DELETE FROM agency_queue WHERE lookup_id = ANY (ARRAY(
    SELECT lookup_id FROM agency_queue WHERE lookup_id = ANY ($1::uuid[]) FOR UPDATE SKIP LOCKED))`;

/** What no caller was there for in time stays unread: its process says so. */
const CLAIM = {
  ofOthers: `
    UPDATE agency_queue SET epoch = CASE WHEN until > clock_timestamp() THEN $1::bigint END, turn = NULL
    WHERE outcome IS NULL AND epoch IS DISTINCT FROM $1::bigint AND ${isCaller('$1')}`,
  unread: `
    UPDATE agency_queue SET epoch = $1 WHERE lookup_id = ANY (ARRAY(
      SELECT lookup_id FROM agency_queue WHERE epoch IS NULL AND outcome IS NULL AND until > clock_timestamp() AND ${isCaller('$1')}
      FOR UPDATE SKIP LOCKED))`,
};
const CLAIMED = `
  RETURNING lookup_id AS "lookupId", receipt_number AS "receiptNumber", user_id AS "userId", tier, requester,
    (extract(epoch FROM clock_timestamp() - joined_at) * 1000)::float8 AS "waitedMs",
    (extract(epoch FROM until - clock_timestamp()) * 1000)::float8 AS "leftMs"`;

/** Says, in the same breath, whether the store has an answer that is fresh enough for people. */
const BEGIN = {
  name: 'begin-call',
  text: `
    WITH waiting AS (
      UPDATE agency_queue SET turn = CASE WHEN lookup_id = $2 THEN 'own' ELSE 'shared' END
      WHERE receipt_number = $1 AND outcome IS NULL AND ${isCaller('$6')}
        AND EXISTS (SELECT FROM agency_queue AS own WHERE own.lookup_id = $2)
      RETURNING lookup_id, user_id)
    SELECT coalesce(bool_or(lookup_id = $2), false) AS waits, coalesce(bool_and(user_id IS NOT NULL), false) AS people,
      EXISTS (SELECT FROM case_snapshots WHERE receipt_number = $1 AND answered_at <= moment
        AND answered_at > moment - CASE WHEN not_recognized_at IS NULL THEN $3::float8 ELSE $4::float8 END * interval '1 millisecond')
        AS fresh
    FROM waiting CROSS JOIN coalesce($5::timestamptz, clock_timestamp()) AS moment GROUP BY moment`,
};

const UNDO = `
  UPDATE agency_queue SET turn = NULL WHERE receipt_number = $1 AND outcome IS NULL AND ${isCaller('$2')}`;

const END = `
  UPDATE agency_queue AS queued SET outcome = CASE WHEN queued.lookup_id = (row.own ->> 'lookupId')::uuid
      THEN row.outcome || (row.own - 'lookupId') ELSE row.outcome END
  FROM jsonb_to_recordset($1::jsonb)
    AS row ("receiptNumber" text, own jsonb, "lookupIds" uuid[], outcome jsonb, epoch bigint)
  WHERE queued.receipt_number = row."receiptNumber" AND queued.outcome IS NULL
    AND (row."lookupIds" IS NULL OR queued.lookup_id = ANY (row."lookupIds"))
    AND (row.epoch IS NULL OR row.epoch = coalesce(queued.epoch, (SELECT epoch FROM agency_caller)))
  RETURNING queued.lookup_id AS "lookupId", queued.canceled`;

/** Whose process has not taken the outcome within five minutes, more than the longest answer takes, has exited. */
const SWEEP = `DELETE FROM agency_queue WHERE until < clock_timestamp() - interval '5 minutes'`;

/** SQL: who waits for a turn; the rows of a process that has exited stay until they are swept. */
export const IS_WAITING = `outcome IS NULL AND turn IS NULL AND until > clock_timestamp()`;

const STATE = `
  SELECT
    coalesce((SELECT json_agg(json_build_object('userId', user_id, 'tier', tier, 'waiting', waiting)) FROM (
      SELECT user_id, tier, count(*) AS waiting FROM agency_queue
      WHERE ${IS_WAITING} AND process_id <> $1 GROUP BY 1, 2) AS others), '[]') AS waiting,
    coalesce((SELECT ${leftMs('paused_until')} FROM agency_caller), 0) AS "pausedMs",
    coalesce((SELECT ${leftMs('quota_spent_until')} FROM agency_caller), 0) AS "quotaSpentMs",
    ${IS_CALLED} AND NOT EXISTS (SELECT FROM agency_queue WHERE ${IS_WAITING} AND joined_at < clock_timestamp() - interval '1 second'
      AND NOT coalesce(${isCaller('epoch')}, false)) AS "isCalled"`;

/** @param processId distinguishes the waiting lookups of this process from those of others */
export function createAgencyQueue(pool: Pool, processId: string, clock: Clock): AgencyQueue & CallerQueue {
  return {
    async join(lookups) {
      const rows = lookups.map(({ receiptNumber, requester, waitMs }) => ({
        id: requester.lookup.id,
        receiptNumber,
        waitMs: Math.round(waitMs),
        ...(requester.source === 'user' ? { userId: requester.userId, tier: requester.tier } : {}),
        requester: { ...requester, lookup: { ...requester.lookup, signal: undefined } },
      }));
      await pool.query(JOIN, [processId, JSON.stringify(rows)]);
    },
    async take(answerMs, lookupIds) {
      const { rows } = await pool.query<Taken>({ name: 'take', text: TAKE, values: [answerMs, lookupIds] });
      return rows;
    },
    async lost(lookupIds) {
      const { rows } = await pool.query<{ id: string }>(LOST, [lookupIds]);
      return rows.map(({ id }) => id);
    },
    async leave(lookupId) {
      const { rows } = await pool.query<{ removed: number }>(LEAVE, [lookupId]);
      return rows[0]?.removed === 1;
    },
    async abandon(lookupIds) {
      await pool.query(ABANDON, [lookupIds]);
    },
    async state() {
      const { rows } = await pool.query<QueueState>(STATE, [processId, movedTime(clock)]);
      return rows[0] ?? { waiting: [], pausedMs: 0, quotaSpentMs: 0, isCalled: false };
    },
    async claim(epoch, isFirst) {
      const text = (isFirst ? CLAIM.ofOthers : CLAIM.unread) + CLAIMED;
      const { rows } = await pool.query<ClaimedRow>({
        text,
        values: [epoch],
        ...(isFirst ? {} : { name: 'claim' }),
      });
      return rows.toSorted((a, b) => b.waitedMs - a.waitedMs).map(toQueuedLookup);
    },
    async begin(epoch, lookup, { freshMs, notRecognizedMs }) {
      const values = [lookup.receiptNumber, lookup.id, freshMs, notRecognizedMs, movedTime(clock), epoch];
      const { rows } = await pool.query<Begun>({ ...BEGIN, values });
      return rows[0] ?? { waits: false, people: false, fresh: false };
    },
    async undo(epoch, receiptNumber) {
      await pool.query(UNDO, [receiptNumber, epoch]);
    },
    end: async (ends, tx) => endAll(tx ?? poolSql(pool), ends),
    async sweep() {
      await pool.query(SWEEP);
    },
  };
}

interface ClaimedRow {
  lookupId: string;
  receiptNumber: string;
  userId: string | null;
  tier: Tier | null;
  requester: Requester;
  waitedMs: number;
  leftMs: number;
}

function toQueuedLookup({ lookupId, receiptNumber, requester, waitedMs, leftMs }: ClaimedRow): QueuedLookup {
  return { id: lookupId, receiptNumber, requester, waitedMs, leftMs };
}

const poolSql = (pool: Pool): SqlExecutor => ({
  query: async <Row>(sql: string, parameters: readonly unknown[]) =>
    (await pool.query({ text: sql, values: [...parameters] })).rows as Row[],
});

async function endAll(sql: SqlExecutor, ends: readonly End[]) {
  if (ends.length === 0) return new Map<string, boolean>();
  const rows = await sql.query<{ lookupId: string; canceled: boolean }>(END, [JSON.stringify(ends)]);
  return new Map(rows.map(({ lookupId, canceled }) => [lookupId, canceled]));
}
