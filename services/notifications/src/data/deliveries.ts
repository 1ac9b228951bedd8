import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';
import type { Channel } from '../domain/choose-deliveries.ts';
import type { DeliveryClaim, DeliveryLog, DueDelivery } from '../domain/delivery-log.ts';

export interface ClaimedRow {
  id: string;
  queued_at: Date;
  attempts: number;
  /** Why it was not sent when it was last looked at. */
  last_error: string | null;
}

interface LogOf<Row extends ClaimedRow, Due extends DueDelivery> {
  channel: Channel;
  kind: 'account' | 'notification' | 'digest';
  /** Reads the rows of `claimed`, which has the columns of the table, with what their messages need. */
  select: string;
  toDue: (row: Row) => Due;
}

/** Opens the log of one kind of messages, in the table `deliveries`; every method is one statement, a transaction of its own. */
export function openLog<Row extends ClaimedRow, Due extends DueDelivery>(
  sql: SqlExecutor,
  { channel, kind, select, toDue }: LogOf<Row, Due>,
): DeliveryLog<Due> {
  const settle = async (
    statement: string,
    claim: DeliveryClaim,
    ids: readonly string[],
    values: unknown[],
  ) => {
    if (ids.length > 0) await sql.query(statement, [ids, new Date(claim.leaseUntilMs), ...values]);
  };
  return {
    async claim({ nowMs, leaseMs, limit }) {
      const leaseUntilMs = nowMs + leaseMs;
      const values = [new Date(nowMs), new Date(leaseUntilMs), limit, channel, kind];
      const rows = await sql.query<Row>(`${CLAIM} ${select}`, values);
      return { leaseUntilMs, due: rows.map(toDue) };
    },
    markSent: (claim, id, nowMs) => settle(MARK_SENT, claim, [id], [new Date(nowMs)]),
    giveUp: (claim, ids, reason) => settle(CLOSE, claim, ids, ['failed', reason]),
    skip: (claim, ids, reason) => settle(CLOSE, claim, ids, ['skipped', reason]),
    defer: (claim, id, { nextMs, reason }) => settle(DEFER, claim, [id], [new Date(nextMs), reason]),
    postpone: (claim, ids, { untilMs, nextMs, reason = null }) =>
      settle(POSTPONE, claim, ids, [new Date(nextMs), new Date(untilMs), reason]),
    release: (claim, ids, nowMs) => settle(RELEASE, claim, ids, [new Date(nowMs)]),
  };
}

/**
 * $1 now, $2 the end of the lease, $3 how many, of the channel $4 and the kind $5. Moving `next_attempt_at` forward is the claim; a
 * concurrent claim skips the locked rows. The array keeps the planner from reading the whole table for the update.
 */
export const CLAIM = `
  WITH mine AS MATERIALIZED (
    SELECT id FROM deliveries
    WHERE channel = $4 AND kind = $5 AND state = 'queued' AND next_attempt_at <= $1::timestamptz
    ORDER BY next_attempt_at LIMIT $3::int
    FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE deliveries SET next_attempt_at = $2::timestamptz, attempts = attempts + 1
    WHERE id = ANY (ARRAY(SELECT id FROM mine))
    RETURNING *
  )`;

/** $1 which messages, $2 the end of the lease, which no other claim on the same row has. */
const settling = (set: string) => `
  UPDATE deliveries SET ${set}
  WHERE id = ANY ($1::uuid[]) AND state = 'queued' AND next_attempt_at = $2::timestamptz`;
const MARK_SENT = settling(`state = 'sent', sent_at = $3, next_attempt_at = NULL, last_error = NULL`);
const CLOSE = settling('state = $3, last_error = $4, next_attempt_at = NULL');
/** What was sent before the end of its wait is tried for no longer than other messages. */
const DEFER = settling('next_attempt_at = $3, last_error = $4, queued_at = least(queued_at, $3)');
const POSTPONE = settling('next_attempt_at = $3, queued_at = $4, last_error = $5, attempts = attempts - 1');
/** As if they had not been claimed. */
const RELEASE = settling('next_attempt_at = $3, attempts = attempts - 1');

export function toDelivery({ id, queued_at, attempts }: ClaimedRow): DueDelivery {
  return { id, queuedAtMs: queued_at.getTime(), attempts };
}

export interface DeliveryLevels {
  /** Messages that are due and wait, counted to 10,000; not those that wait for the end of quiet hours. */
  readonly queued: number;
  /** How long the oldest of them has waited; 0 when none does. */
  readonly oldestSeconds: number;
}

export const LEVELS = `
  WITH waiting AS (
    SELECT queued_at FROM deliveries WHERE channel = $2 AND state = 'queued' AND queued_at <= $1
    ORDER BY queued_at LIMIT 10000)
  SELECT count(*)::int AS queued, min(queued_at) AS oldest FROM waiting`;

export async function readLevels(pool: Pool, clock: Clock, channel: Channel): Promise<DeliveryLevels> {
  const values = [new Date(clock.nowMs()), channel];
  const { rows } = await pool.query<{ queued: number; oldest: Date | null }>(LEVELS, values);
  const [{ queued, oldest } = { queued: 0, oldest: null }] = rows;
  const waitedMs = oldest === null ? 0 : clock.nowMs() - oldest.getTime();
  return { queued, oldestSeconds: Math.max(0, waitedMs) / 1_000 };
}
