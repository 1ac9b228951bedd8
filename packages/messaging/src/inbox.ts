import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { uuidV7Floor } from '@casewatch/service-kit/database/uuid-v7';

/**
 * Claims these events for the group in the consumer's transaction, and returns the ids that the group had not
 * handled before. Waits for another transaction that is handling one of them.
 */
export async function claimInInbox(
  tx: SqlExecutor,
  group: string,
  eventIds: readonly string[],
  nowMs: number,
): Promise<Set<string>> {
  const rows = await tx.query<{ event_id: string }>(
    `INSERT INTO inbox (consumer_group, event_id, handled_at)
     SELECT $1, id, $3 FROM unnest($2::uuid[]) AS id ORDER BY id
     ON CONFLICT DO NOTHING RETURNING event_id`,
    [group, eventIds, new Date(nowMs)],
    'claim_in_inbox',
  );
  return new Set(rows.map((row) => row.event_id));
}

/**
 * Deletes up to 5,000 claims of events published before `beforeMs`; returns how many. The caller ensures that none of them can
 * be delivered again.
 */
export async function pruneInbox(executor: SqlExecutor, group: string, beforeMs: number): Promise<number> {
  const rows = await executor.query(
    // Skips what another process is removing at the same time.
    `DELETE FROM inbox WHERE consumer_group = $1 AND event_id = ANY (ARRAY(
       SELECT event_id FROM inbox WHERE consumer_group = $1 AND event_id < $2
       ORDER BY event_id LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
    [group, uuidV7Floor(beforeMs)],
  );
  return rows.length;
}
