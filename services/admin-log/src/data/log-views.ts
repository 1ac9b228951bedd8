import type { LogView } from '@casewatch/contracts/log-views';
import { storableText } from '@casewatch/service-kit/database/storable-json';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Pool } from 'pg';
import type { LogViews } from '../domain/log-views.ts';

export function createLogViews(pool: Pool): LogViews {
  return {
    async listOf(administratorId) {
      const { rows } = await pool.query<LogView>(
        'SELECT id, name, query FROM log_views WHERE administrator_id = $1 ORDER BY name COLLATE "C"',
        [administratorId],
      );
      return rows;
    },
    save: (administratorId, views, most) =>
      inTransaction(pool, async (tx) => {
        // Two windows at once: the second one counts what the first one saved.
        await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('admin-log views ' || $1, 0))::text`, [
          administratorId,
        ]);
        // Of one name twice the later one.
        const queries = new Map(views.map(({ name, query }) => [storableText(name), storableText(query)]));
        const [after] = await tx.query<{ views: number }>(
          `SELECT count(*)::int + $2 AS views FROM log_views WHERE administrator_id = $1 AND name <> ALL($3::text[])`,
          [administratorId, queries.size, [...queries.keys()]],
        );
        if (after === undefined || after.views > most) return false;
        await tx.query(
          `INSERT INTO log_views (id, administrator_id, name, query)
           SELECT gen_random_uuid(), $1, name, query FROM unnest($2::text[], $3::text[]) AS given (name, query)
           ON CONFLICT (administrator_id, name) DO UPDATE SET query = excluded.query`,
          [administratorId, [...queries.keys()], [...queries.values()]],
        );
        return true;
      }),
    async remove(administratorId, id) {
      const { rowCount } = await pool.query('DELETE FROM log_views WHERE administrator_id = $1 AND id = $2', [
        administratorId,
        id,
      ]);
      return rowCount === 1;
    },
    async removeOfRemoved(tx, actions) {
      const removed = actions.filter(({ action, success }) => success && action === 'administrator.removed');
      if (removed.length === 0) return;
      await tx.query('DELETE FROM log_views WHERE administrator_id::text = ANY($1::text[])', [
        removed.map(({ subject }) => subject.replace('administrator:', '')),
      ]);
    },
  };
}
