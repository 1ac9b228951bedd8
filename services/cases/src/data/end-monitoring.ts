import type { SqlExecutor } from '@casewatch/platform/db/sql-executor';
import { lockUser } from './lock-user.ts';

/** Sets every monitoring frequency of the user to none; resolves to the receipt numbers that were watched. */
export async function endMonitoring(tx: SqlExecutor, userId: string): Promise<string[]> {
  await lockUser(tx, userId);
  const rows = await tx.query<{ receipt_number: string }>(
    `UPDATE saved_cases SET monitoring_frequency = 'none'
     WHERE user_id = $1::uuid AND monitoring_frequency <> 'none' RETURNING receipt_number`,
    [userId],
  );
  return rows.map((row) => row.receipt_number).sort();
}
