import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { lockUser } from './lock-user.ts';

/**
 * Sets the user's monitoring frequencies that were chosen by then to none; resolves to the receipt numbers that were
 * watched. What was chosen later is another wish, of a user who is pro again: the event may come late.
 */
export async function endMonitoring(tx: SqlExecutor, userId: string, byMs: number): Promise<string[]> {
  await lockUser(tx, userId);
  const rows = await tx.query<{ receipt_number: string }>(
    `UPDATE saved_cases SET monitoring_frequency = 'none'
     WHERE user_id = $1::uuid AND monitoring_frequency <> 'none'
       AND (frequency_set_at IS NULL OR frequency_set_at <= $2::timestamptz)
     RETURNING receipt_number`,
    [userId, new Date(byMs).toISOString()],
  );
  return rows.map((row) => row.receipt_number).sort();
}
