import { caseWatchesListed } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Pool } from 'pg';
import { LISTS } from '../domain/watch-lists.ts';
import { type BeginningRow, RUNS, toBeginning } from './publish-watches.ts';
import { lockUser } from './user-rows.ts';

/** Watches of one event. */
const PAGE = 500;

/** $1 before when a list is due, $2 since when lists count for the rate: all processes together keep it. */
const NEXT = `
  SELECT user_id FROM watch_lists
  WHERE (listed_at IS NULL OR listed_at <= $1::timestamptz)
    AND NOT EXISTS (SELECT FROM outbox WHERE done_at IS NULL)
    AND (SELECT count(*) FROM (SELECT FROM watch_lists WHERE listed_at > $2::timestamptz LIMIT ${LISTS.perSecond}) AS late)
      < ${LISTS.perSecond}
  ORDER BY listed_at NULLS FIRST LIMIT 1`;

/** Only one process lists at a time. */
const LOCK_LISTS = `SELECT pg_try_advisory_xact_lock(hashtextextended('cases watch lists', 0)) AS ours`;

const MARK_LISTED = `
  UPDATE watch_lists SET listed_at = $2::timestamptz
  WHERE user_id = $1::uuid AND (listed_at IS NULL OR listed_at <= $3::timestamptz) RETURNING nextval('watch_versions')::text AS version`;

const LIST = `
  SELECT receipt_number, monitoring_frequency, watch_version::text, began_version::text, began_call::text, began_status
  FROM saved_cases WHERE user_id = $1::uuid AND ${RUNS} ORDER BY receipt_number`;

interface ListedRow extends BeginningRow {
  receipt_number: string;
  monitoring_frequency: string;
  watch_version: string;
}

/**
 * Publishes all that one user wants checked, of whom that was done longest ago. Resolves to whether there was one: none is due, other
 * events wait, or the rate is kept otherwise. `nowMs` is the database's time.
 */
export async function publishNextList(pool: Pool, bus: EventBus, nowMs: number): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const [lock] = await tx.query<{ ours: boolean }>(LOCK_LISTS, []);
    if (!lock?.ours) return false;
    const due = new Date(nowMs - LISTS.everyMs);
    const [next] = await tx.query<{ user_id: string }>(NEXT, [due, new Date(nowMs - 1_000)]);
    if (!next) return false;
    await lockUser(tx, next.user_id);
    const [list] = await tx.query<{ version: string }>(MARK_LISTED, [next.user_id, new Date(nowMs), due]);
    if (list) await publishList(tx, bus, next.user_id, list.version);
    return true;
  });
}

async function publishList(tx: SqlExecutor, bus: EventBus, userId: string, version: string): Promise<void> {
  const rows = await tx.query<ListedRow>(LIST, [userId]);
  const watches = rows.map((row) => ({
    receiptNumber: row.receipt_number,
    frequency: row.monitoring_frequency,
    version: row.watch_version,
    beginning: toBeginning(row),
  }));
  const starts = Array.from({ length: Math.max(1, Math.ceil(watches.length / PAGE)) }, (_, n) => n * PAGE);
  await bus.publishAll(
    tx,
    caseWatchesListed,
    starts.map((start) => ({
      userId,
      version,
      watches: watches.slice(start, start + PAGE),
      from: start === 0 ? undefined : watches[start]?.receiptNumber,
      before: watches[start + PAGE]?.receiptNumber,
    })),
  );
}
