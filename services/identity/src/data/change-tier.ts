import type { Tier } from '@casewatch/contracts/limits';
import type { SqlExecutor } from '@casewatch/platform/db/sql-executor';
import { fullName } from '../domain/account.ts';

/** Resolves to whom it concerns; undefined when the account has that tier already or is gone. */
export async function changeTier(
  tx: SqlExecutor,
  userId: string,
  tier: Tier,
): Promise<{ name: string } | undefined> {
  const [row] = await tx.query<{ first_name: string; last_name: string }>(
    'UPDATE users SET tier = $2 WHERE id = $1::uuid AND tier <> $2 RETURNING first_name, last_name',
    [userId, tier],
  );
  return row && { name: fullName({ firstName: row.first_name, lastName: row.last_name }) };
}
