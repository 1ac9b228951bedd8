import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Pool } from 'pg';
import type { LogMaintenance } from '../domain/maintain-log.ts';
import { dateOf } from '../domain/retention.ts';

/** Creates the maintenance of the log's tables, which the service's role may not change: functions of the owner make and drop the partitions. */
export function createLogMaintenance(pool: Pool): LogMaintenance {
  return {
    async ensureMonth(monthMs) {
      await pool.query('SELECT ensure_log_month($1)', [dateOf(monthMs)]);
    },
    async dropMonthsBefore(monthMs) {
      // What is counted and what is there go together.
      await inTransaction(pool, async (tx) => {
        await tx.query('DELETE FROM call_counts WHERE bucket < $1', [new Date(monthMs)]);
        await tx.query('SELECT drop_log_months($1)', [dateOf(monthMs)]);
      });
    },
    async removePayloadsBefore(day, limit) {
      // Waits for none that is being seen again: two that wait for each other would be a deadlock.
      const { rowCount } = await pool.query(
        `DELETE FROM payloads WHERE hash = ANY (ARRAY(
           SELECT hash FROM payloads WHERE last_seen < $1 ORDER BY last_seen LIMIT $2 FOR UPDATE SKIP LOCKED))`,
        [day, limit],
      );
      return rowCount ?? 0;
    },
    async removeAuditBefore(beforeMs, limit) {
      // In the order of the chain: an entry that came late waits until those before it are old enough.
      const { rowCount } = await pool.query(
        `DELETE FROM audit_entries WHERE id IN (
           SELECT id FROM audit_entries
           WHERE at < $1 AND seq < coalesce(
             (SELECT seq FROM audit_entries WHERE at >= $1 ORDER BY seq LIMIT 1),
             9223372036854775807)
           ORDER BY seq LIMIT $2)`,
        [new Date(beforeMs), limit],
      );
      return rowCount ?? 0;
    },
    async removeRecentCountsBefore(beforeMs) {
      await pool.query('DELETE FROM call_durations WHERE hour < $1', [new Date(beforeMs)]);
      await pool.query('DELETE FROM receipt_counts WHERE day < $1', [new Date(beforeMs)]);
      await pool.query('DELETE FROM outcome_counts WHERE bucket < $1', [new Date(beforeMs)]);
    },
  };
}
