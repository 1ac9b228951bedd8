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

/** Deletes claims of events published before `beforeMs`; the caller ensures that none of them can be delivered again. */
export async function pruneInbox(executor: SqlExecutor, group: string, beforeMs: number): Promise<number> {
  const rows = await executor.query(
    `DELETE FROM inbox WHERE consumer_group = $1 AND event_id < $2 RETURNING 1`,
    [group, uuidV7Floor(beforeMs)],
  );
  return rows.length;
}
