import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { EventHeaders, EventRecord } from './event-record.ts';

/** How many parts an outbox has; a key is always in the same. The index `outbox_shard_waiting` is made for this number. */
export const SHARDS = 8;

/** An event in the outbox. `seq` is a bigint, kept as text. */
export interface OutboxRow extends EventRecord {
  readonly seq: string;
  readonly shard: number;
}

/**
 * Returns the oldest pending events of the shards, in order, except those that the caller already has and those of keys
 * that it has enough of: of the oldest `perShard` of each shard, the first `perKey` of each key. `more`: a shard may have
 * others. Never pages by `seq`: a transaction that commits late adds numbers lower than those read before.
 */
export async function loadWaiting(
  executor: SqlExecutor,
  options: {
    shards: readonly number[];
    except: readonly string[];
    exceptKeys: readonly string[];
    perShard: number;
    perKey: number;
  },
): Promise<{ rows: readonly OutboxRow[]; more: boolean }> {
  const rows = await executor.query<OutboxRow & { headers: EventHeaders; inPage: number }>(
    `SELECT seq::text, id, topic, key, payload, headers, shard, in_page AS "inPage" FROM (
       SELECT oldest.*, shard, count(*) OVER (PARTITION BY shard)::int AS in_page,
         row_number() OVER (PARTITION BY shard, topic, key ORDER BY seq) AS nth
       FROM unnest($1::int[]) AS shard CROSS JOIN LATERAL (
         SELECT seq, id, topic, key, payload, headers FROM outbox
         WHERE done_at IS NULL AND hashtextextended(key, 0) & 7 = shard
           AND seq NOT IN (SELECT unnest($2::bigint[]))
           AND topic || ' ' || key NOT IN (SELECT unnest($3::text[]))
         ORDER BY seq LIMIT $4
       ) AS oldest
     ) AS numbered
     WHERE nth <= $5 ORDER BY numbered.seq`,
    [options.shards, options.except, options.exceptKeys, options.perShard, options.perKey],
  );
  return { rows, more: rows.some(({ inPage }) => inPage >= options.perShard) };
}

export async function markDone(executor: SqlExecutor, seqs: readonly string[], nowMs: number): Promise<void> {
  await executor.query('UPDATE outbox SET done_at = $2 WHERE seq = ANY($1::bigint[])', [
    seqs,
    new Date(nowMs),
  ]);
}

/** Returns how many events are pending, counted to 10,000 at most, and the time of the oldest. Each shard's is read from its index. */
export async function waitingInOutbox(
  executor: SqlExecutor,
): Promise<{ waiting: number; oldestMs: number | undefined }> {
  const [row] = await executor.query<{ waiting: number; oldest: Date | null }>(
    `SELECT (SELECT count(*)::int FROM (SELECT FROM outbox WHERE done_at IS NULL LIMIT 10000) AS counted) AS waiting,
       min(created_at) AS oldest
     FROM generate_series(0, ${SHARDS - 1}) AS shard CROSS JOIN LATERAL (
       SELECT created_at FROM outbox WHERE done_at IS NULL AND hashtextextended(key, 0) & 7 = shard
       ORDER BY seq LIMIT 1
     ) AS head`,
    [],
  );
  return { waiting: row?.waiting ?? 0, oldestMs: row?.oldest?.getTime() };
}

/**
 * Deletes up to 5,000 events that were done before `beforeMs`, of the 10,000 oldest; returns how many. Those behind 10,000
 * that must stay follow once these are gone: no index is kept for them, which every publish and every mark would pay for.
 */
export async function pruneOutbox(executor: SqlExecutor, beforeMs: number): Promise<number> {
  const rows = await executor.query(
    `DELETE FROM outbox WHERE seq IN (
       SELECT seq FROM (SELECT seq, done_at FROM outbox ORDER BY seq LIMIT 10000) AS oldest
       WHERE done_at < $1 ORDER BY seq LIMIT 5000) RETURNING 1`,
    [new Date(beforeMs)],
  );
  return rows.length;
}

/**
 * Marks every event that an outbox still holds as pending, in its order, for a broker that lost what consumers had not
 * read. Events that were handled have no second effect: inboxes keep their ids longer than an outbox keeps its events.
 * Resolves to the number of events.
 */
export async function publishAgain(outbox: SqlExecutor): Promise<number> {
  const rows = await outbox.query<{ count: number }>(
    `WITH again AS (UPDATE outbox SET done_at = NULL WHERE done_at IS NOT NULL RETURNING 1)
     SELECT count(*)::int AS count FROM again`,
    [],
  );
  return rows[0]?.count ?? 0;
}
