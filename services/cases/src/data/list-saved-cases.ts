import type { SavedCase } from '@casewatch/contracts/cases';
import { createGatheredReads } from '@casewatch/service-kit/runtime/gathered-reads';
import type { Pool } from 'pg';
import { SAVED_COLUMNS, type SavedRow, toSavedCase } from './saved-case-rows.ts';

/** One prepared statement for any number of users: an index scan for each. */
export const LIST = {
  name: 'list-saved-cases',
  text: `
    SELECT list.* FROM unnest($1::uuid[]) AS owner CROSS JOIN LATERAL (
      SELECT ${SAVED_COLUMNS} FROM saved_cases WHERE user_id = owner ORDER BY created_at DESC, id DESC) AS list`,
};

/** Returns a function that reads all saved cases of a user, newest first. */
export function createListReader(pool: Pool): (userId: string) => Promise<SavedCase[]> {
  const read = createGatheredReads((userIds) => readLists(pool, userIds), { keysPerRead: 32 });
  return async (userId) => (await read(userId)) ?? [];
}

async function readLists(pool: Pool, userIds: readonly string[]): Promise<Map<string, SavedCase[]>> {
  const { rows } = await pool.query<SavedRow>({ ...LIST, values: [userIds] });
  const lists = new Map<string, SavedCase[]>();
  for (const row of rows) {
    const list = lists.get(row.userId);
    if (list) list.push(toSavedCase(row));
    else lists.set(row.userId, [toSavedCase(row)]);
  }
  return lists;
}
