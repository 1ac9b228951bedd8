import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { startOfMonth } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';
import type { LogMaintenance } from '../domain/maintain-log.ts';
import { answersOf, dateOf } from '../domain/retention.ts';

/** The service's role may not change tables: functions of the owner make and drop the partitions. */
export function createLogMaintenance(pool: Pool): LogMaintenance {
  return {
    async ensureMonth(monthMs) {
      await pool.query('SELECT ensure_log_month($1)', [dateOf(monthMs)]);
    },
    async dropMonthsBefore(monthMs) {
      const month = dateOf(monthMs);
      const [neededSince] = answersOf(monthMs, monthMs);
      await pool.query(`SELECT drop_log_months('call_payloads', $1)`, [
        dateOf(startOfMonth(neededSince.getTime())),
      ]);
      await pool.query(`SELECT drop_log_months('call_receipts', $1)`, [month]);
      // What is counted and what is there go together.
      await inTransaction(pool, async (tx) => {
        await tx.query('DELETE FROM call_counts WHERE bucket < $1', [new Date(monthMs)]);
        await tx.query(`SELECT drop_log_months('calls', $1)`, [month]);
      });
    },
    async dropPayloadMonthsBefore(monthMs) {
      await pool.query(`SELECT drop_log_months('call_payloads', $1)`, [dateOf(monthMs)]);
    },
    async removePayloadsBefore(beforeMs, limit) {
      const { rowCount } = await pool.query(
        `DELETE FROM call_payloads AS p USING (
           SELECT created_at, id FROM call_payloads WHERE created_at < $1 ORDER BY created_at, id LIMIT $2) AS old
         WHERE p.created_at = old.created_at AND p.id = old.id`,
        [new Date(beforeMs), limit],
      );
      return rowCount ?? 0;
    },
    async removeAuditBefore(beforeMs, limit) {
      // In the order of the chain: an entry that came late waits until those before it are old enough.
      const { rowCount } = await pool.query(
        `DELETE FROM audit_entries WHERE id IN (
           SELECT id FROM audit_entries
           WHERE at < $1 AND (seq IS NULL OR seq < coalesce(
             (SELECT seq FROM audit_entries WHERE seq IS NOT NULL AND at >= $1 ORDER BY seq LIMIT 1),
             9223372036854775807))
           ORDER BY seq NULLS FIRST LIMIT $2)`,
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
