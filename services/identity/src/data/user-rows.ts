import { LANGUAGES, type Language } from '@casewatch/contracts/languages';
import { TIERS, type Tier } from '@casewatch/contracts/limits';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { fullName } from '../domain/account.ts';

/**
 * Applies the newest change whatever the order of delivery: a late one, redriven from the dead letters, has no effect.
 * Resolves to the account's name; undefined when it has that tier already or does not exist.
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

/** Narrows a value that the column's check constrains. */
export function tierOf(value: string): Tier {
  const tier = TIERS.find((known) => known === value);
  if (!tier) throw new Error('users.tier holds an unknown value');
  return tier;
}

/** Null for one that only a newer process knows. */
export function languageOf(value: string | null): Language | null {
  return LANGUAGES.find((known) => known === value) ?? null;
}
