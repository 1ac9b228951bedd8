import { TIERS, type Tier } from '@casewatch/contracts/limits';

/** The database checks the column; this tells the compiler. */
export function tierOf(value: string): Tier {
  const tier = TIERS.find((known) => known === value);
  if (!tier) throw new Error('users.tier holds an unknown value');
  return tier;
}
