import { poolExecutor, type SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimInInbox, pruneInbox } from '../src/inbox.ts';
import { createEventsDatabase, type EventsDatabase } from './events-database.ts';

const START_MS = Date.UTC(2026, 0, 5);

let database: EventsDatabase;
let sql: SqlExecutor;
beforeAll(async () => {
  database = await createEventsDatabase();
  sql = poolExecutor(database.poolOf('billing'));
});
beforeEach(() => sql.query('DELETE FROM inbox', []));
afterAll(() => database.drop());

/** Claims this many events of one time for the group; returns their ids. */
async function claim(group: string, count: number, timeMs: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidV7(timeMs));
  await claimInInbox(sql, group, ids, START_MS);
  return ids;
}
const left = async () =>
  (await sql.query<{ event_id: string }>('SELECT event_id FROM inbox', [])).map(({ event_id: id }) => id);

test('what a group handled is forgotten once its event is older than what is kept; other groups remember theirs', async () => {
  await claim('notifications', 1, START_MS - 1);
  const [kept] = await claim('notifications', 1, START_MS);
  const [other] = await claim('admin-log', 1, START_MS - 1);
  expect(await pruneInbox(sql, 'notifications', START_MS)).toBe(1);
  expect(new Set(await left())).toEqual(new Set([kept, other]));
});

test('five thousand are forgotten at a time, the oldest first', async () => {
  const newer = await claim('notifications', 1, START_MS - 1);
  await claim('notifications', 5_000, START_MS - 1_000);
  expect(await pruneInbox(sql, 'notifications', START_MS)).toBe(5_000);
  expect(await left()).toEqual(newer);
  expect(await pruneInbox(sql, 'notifications', START_MS)).toBe(1);
  expect(await pruneInbox(sql, 'notifications', START_MS)).toBe(0);
});

test('processes that prune at the same time do not wait for each other', async () => {
  await claim('notifications', 1, START_MS - 1);
  await database.transaction('billing', async (tx) => {
    expect(await pruneInbox(tx, 'notifications', START_MS)).toBe(1);
    expect(await pruneInbox(sql, 'notifications', START_MS)).toBe(0);
  });
  expect(await left()).toEqual([]);
});
