import type { SavedCase } from '@casewatch/contracts/cases';
import type { Pool } from 'pg';
import { SAVED_COLUMNS, type SavedRow, toSavedCase } from './saved-case-rows.ts';

/** Reads in flight at once; further requests gather for the next one. The second keeps a long list from holding up the others. */
const READS_AT_ONCE = 2;
const USERS_PER_READ = 32;

/** One prepared statement for any number of users: an index scan for each. */
export const LIST = {
  name: 'list-saved-cases',
  text: `
    SELECT list.* FROM unnest($1::uuid[]) AS owner CROSS JOIN LATERAL (
      SELECT ${SAVED_COLUMNS} FROM saved_cases WHERE user_id = owner ORDER BY created_at DESC, id DESC) AS list`,
};

interface Waiting {
  userId: string;
  resolve: (cases: SavedCase[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Returns a function that reads all saved cases of a user, newest first. Lists that are requested in one turn of the event
 * loop, or while others are being read, are read together, in one statement. A read begins after its request, so it sees
 * every change that was answered before; without other reads it begins in the same turn.
 */
export function createListReader(pool: Pool): (userId: string) => Promise<SavedCase[]> {
  const waiting: Waiting[] = [];
  let inFlight = 0;
  let isScheduled = false;

  /** After the requests that have arrived by now: one statement costs PostgreSQL and this process less than two. */
  const schedule = () => {
    if (isScheduled || inFlight >= READS_AT_ONCE) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void readSome();
    });
  };

  const readSome = async () => {
    const batch = waiting.splice(0, USERS_PER_READ);
    inFlight += 1;
    try {
      const lists = await readLists(pool, [...new Set(batch.map(({ userId }) => userId))]);
      for (const { userId, resolve } of batch) resolve(lists.get(userId) ?? []);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      if (waiting.length > 0) schedule();
    }
  };

  return (userId) =>
    new Promise((resolve, reject) => {
      waiting.push({ userId, resolve, reject });
      schedule();
    });
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
