import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/**
 * Puts every event that an outbox still holds back to be sent, in its order: a broker that began empty, or topics that
 * begin anew after a restore, lack what nobody had read. Those that were handled have no second effect: the inboxes
 * remember them for longer than an outbox holds them. Resolves with how many.
 */
export async function publishAgain(outbox: SqlExecutor): Promise<number> {
  const rows = await outbox.query<{ count: number }>(
    `WITH again AS (UPDATE outbox SET done_at = NULL WHERE done_at IS NOT NULL RETURNING 1)
     SELECT count(*)::int AS count FROM again`,
    [],
  );
  return rows[0]?.count ?? 0;
}
