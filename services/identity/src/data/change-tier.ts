import type { Tier } from '@casewatch/contracts/limits';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { fullName } from '../domain/account.ts';

/**
 * The newest change counts, in whatever order they are heard of: one that was handled late, out of the dead letters,
 * takes nothing back. Resolves to whom it concerns; undefined when the account has that tier already or is gone.
 */
export async function changeTier(
  tx: SqlExecutor,
  userId: string,
  { tier, atMs }: { tier: Tier; atMs: number },
): Promise<{ name: string } | undefined> {
  const [row] = await tx.query<{ first_name: string; last_name: string; changed: boolean }>(
    `UPDATE users SET tier = $2, tier_since = $3::timestamptz
     FROM (SELECT id, tier, tier_since FROM users WHERE id = $1::uuid FOR UPDATE) AS before
     WHERE users.id = before.id AND (before.tier_since IS NULL OR before.tier_since <= $3::timestamptz)
     RETURNING first_name, last_name, before.tier <> $2 AS changed`,
    [userId, tier, new Date(atMs).toISOString()],
  );
  return row?.changed
    ? { name: fullName({ firstName: row.first_name, lastName: row.last_name }) }
    : undefined;
}
