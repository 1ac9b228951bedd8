import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { EventRecord } from './event-record.ts';

/** An event in the outbox. `seq` is a bigint, kept as text. */
export interface OutboxRow extends EventRecord {
  readonly seq: string;
}

/** Lists the topics of pending events, each read from the head of its part of the index. Ends with a row of NULL. */
const PENDING_TOPICS = `WITH RECURSIVE pending(topic) AS (
    (SELECT topic FROM outbox WHERE done_at IS NULL ORDER BY topic LIMIT 1)
    UNION ALL
    SELECT (SELECT topic FROM outbox WHERE done_at IS NULL AND topic > pending.topic ORDER BY topic LIMIT 1)
    FROM pending WHERE topic IS NOT NULL
  )`;

/**
 * A range instead of an equality: only then is the order by topic and number one that `outbox_pending` has and the primary key has
 * not, from which PostgreSQL would read past all events that are done.
 */
const isOfTopic = (other: string) => `outbox.topic BETWEEN ${other}.topic AND ${other}.topic`;

/** Returns the topics that have pending events. */
export async function pendingTopics(executor: SqlExecutor): Promise<string[]> {
  const rows = await executor.query<{ topic: string }>(
    `${PENDING_TOPICS} SELECT topic FROM pending WHERE topic IS NOT NULL`,
    [],
  );
  return rows.map(({ topic }) => topic);
}

/** What a lane of the relay needs of a topic: its oldest events for the consumer, at most `room`, except those and those of keys. */
export interface LaneQuery {
  readonly topic: string;
  readonly consumer: string;
  readonly room: number;
  readonly except: readonly string[];
  readonly exceptKeys: readonly string[];
}

/**
 * Returns for each lane the oldest pending events that its consumer has not settled, in order. All lanes of a topic must be
 * given: an event that all of their consumers have settled is returned once more, to be done. Never pages by `seq`: a
 * transaction that commits late adds numbers lower than those read before.
 */
export async function loadPending(
  executor: SqlExecutor,
  lanes: readonly LaneQuery[],
): Promise<OutboxRow[][]> {
  const except = lanes.flatMap((lane, index) => lane.except.map((seq) => ({ no: index + 1, seq })));
  const exceptKeys = lanes.flatMap((lane, index) => lane.exceptKeys.map((key) => ({ no: index + 1, key })));
  const rows = await executor.query<OutboxRow & { no: number }>(
    `SELECT no::int, seq::text, id, topic, key, payload, headers FROM (
       SELECT *, array_agg(consumer) OVER (PARTITION BY topic) AS consumers
       FROM unnest($1::text[], $2::text[], $3::int[]) WITH ORDINALITY AS given(topic, consumer, room, no)
     ) AS lane CROSS JOIN LATERAL (
       SELECT seq, id, key, payload, headers FROM outbox
       WHERE done_at IS NULL AND ${isOfTopic('lane')}
         AND (settled_by IS NULL OR lane.consumer <> ALL (settled_by) OR settled_by @> lane.consumers)
         AND (lane.no, seq) NOT IN (SELECT * FROM unnest($4::bigint[], $5::bigint[]))
         AND (lane.no, key) NOT IN (SELECT * FROM unnest($6::bigint[], $7::text[]))
       ORDER BY outbox.topic, seq LIMIT lane.room
     ) AS oldest ORDER BY no, oldest.seq`,
    [
      lanes.map(({ topic }) => topic),
      lanes.map(({ consumer }) => consumer),
      lanes.map(({ room }) => room),
      except.map(({ no }) => no),
      except.map(({ seq }) => seq),
      exceptKeys.map(({ no }) => no),
      exceptKeys.map(({ key }) => key),
    ],
  );
  const byLane = Map.groupBy(rows, ({ no }) => no);
  return lanes.map((_lane, index) => byLane.get(index + 1) ?? []);
}

/** Marks events of a topic as settled by one of its consumers, and as done once all of these have settled them. */
export async function markSettled(
  executor: SqlExecutor,
  seqs: readonly string[],
  by: { readonly consumer: string; readonly consumers: readonly string[]; readonly nowMs: number },
): Promise<void> {
  await executor.query(
    `UPDATE outbox SET
       settled_by = CASE WHEN array_append(settled_by, $2) @> $3 THEN NULL ELSE array_append(settled_by, $2) END,
       done_at = CASE WHEN array_append(settled_by, $2) @> $3 THEN $4::timestamptz END
     WHERE seq = ANY($1::bigint[]) AND done_at IS NULL`,
    [seqs, by.consumer, by.consumers, new Date(by.nowMs)],
  );
}

/** Returns how many events are pending, counted to 10,000 at most, and the time of the oldest: it is at the head of its topic. */
export async function waitingInOutbox(
  executor: SqlExecutor,
): Promise<{ waiting: number; oldestMs: number | undefined }> {
  const [row] = await executor.query<{ waiting: number; oldest: Date | null }>(
    `${PENDING_TOPICS}
     SELECT (SELECT count(*)::int FROM (SELECT FROM outbox WHERE done_at IS NULL LIMIT 10000) AS counted) AS waiting,
       min(created_at) AS oldest
     FROM pending CROSS JOIN LATERAL (
       SELECT created_at FROM outbox WHERE done_at IS NULL AND ${isOfTopic('pending')}
       ORDER BY outbox.topic, seq LIMIT 1
     ) AS head`,
    [],
  );
  return { waiting: row?.waiting ?? 0, oldestMs: row?.oldest?.getTime() };
}

/** Returns how many events an outbox holds, and how many of them are pending. */
export async function countEvents(executor: SqlExecutor): Promise<{ events: number; pending: number }> {
  const [row] = await executor.query<{ events: number; pending: number }>(
    `SELECT count(*)::int AS events, count(*) FILTER (WHERE done_at IS NULL)::int AS pending FROM outbox`,
    [],
  );
  return { events: row?.events ?? 0, pending: row?.pending ?? 0 };
}

/**
 * Deletes up to 5,000 events that were done before `beforeMs`, of the 10,000 oldest; returns how many. Those behind 10,000
 * that must stay follow once these are removed: no index is kept for them, which every publish and every mark would pay for.
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
