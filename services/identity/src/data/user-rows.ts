import { LANGUAGES, type Language } from '@casewatch/contracts/languages';
import { TIERS, type Tier } from '@casewatch/contracts/limits';
import { fullName } from '../domain/account.ts';
import type { UserRows } from '../domain/store.ts';

export const userRows: UserRows = {
  async changeTier(tx, userId, { tier, subscriptionVersion }) {
    const [row] = await tx.query<{
      first_name: string;
      last_name: string;
      version: number;
      changed: boolean;
    }>(
      `UPDATE users SET tier = $2, subscription_version = $3, version = users.version + 1
       FROM (SELECT id, tier, subscription_version FROM users WHERE id = $1::uuid FOR UPDATE) AS before
       WHERE users.id = before.id AND before.subscription_version < $3
       RETURNING first_name, last_name, users.version, before.tier <> $2 AS changed`,
      [userId, tier, subscriptionVersion],
    );
    if (!row?.changed) return undefined;
    return { name: fullName({ firstName: row.first_name, lastName: row.last_name }), version: row.version };
  },
};

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
