import type { User } from '@casewatch/contracts/identity';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { clear, del, get, setMany } from 'idb-keyval';
import { setMark } from '../lib/kept-mark.ts';
import { clearRecentOfOthers } from '../lib/recent-lookups.ts';
import { keptStore } from './kept-store.ts';
import { meQueryKey, sessionEndedKey } from './user-data.ts';

/** Raise it when the shape of anything that is kept changes: what was kept in another is dropped. */
const SCHEMA = 1;
const MAX_AGE_MS = 14 * 24 * 60 * 60_000;
/** Of the JSON; the oldest answers go first. */
const MAX_CHARACTERS = 2_000_000;
const WRITE_AFTER_MS = 250;
const SNAPSHOT = 'snapshot';
/** The id of the user whose things are kept. */
const OWNER = 'owner';

interface Kept {
  queryKey: QueryKey;
  data: unknown;
  updatedAt: number;
}

interface Snapshot {
  schema: number;
  user: User;
  savedAtMs: number;
  queries: Kept[];
}

/** Returns true for saved cases as lists, and cases that were looked up. Neither payments nor notifications, nothing of the admin area. */
export function isKept(queryKey: QueryKey): boolean {
  const [name, part] = queryKey;
  if (name === 'saved-cases') return part === 'pages' || part === 'chosen';
  return name === 'case-status' && queryKey.length === 2;
}

/**
 * Keeps the allowed answers of the signed-in user on this device, up to a size, until the function that it returns is called.
 * A sign-out, an ended session and another user clear them.
 */
export function keepAnswers(client: QueryClient, user: User): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    timer = undefined;
    void keep(client, user.id);
  };
  const isOver = () =>
    client.getQueryData<boolean>(sessionEndedKey) === true ||
    client.getQueryData<User | null>(meQueryKey)?.id !== user.id;
  const end = client.getQueryCache().subscribe(({ type, query }) => {
    const [name] = query.queryKey;
    if (type === 'updated' && (name === meQueryKey[0] || name === sessionEndedKey[0]) && isOver()) {
      // A write that is due by then finds no user and keeps nothing.
      void clearAnswers();
    } else if (type === 'updated' && (isKept(query.queryKey) || name === meQueryKey[0])) {
      timer ??= setTimeout(write, WRITE_AFTER_MS);
    }
  });
  timer = setTimeout(write, 0);
  return () => {
    end();
    clearTimeout(timer);
  };
}

/** Puts what is kept into the cache, unless it is too old or of another version, and returns whose it is. */
export async function restore(client: QueryClient): Promise<User | null> {
  const kept = await readSnapshot();
  if (kept === undefined) return null;
  if (kept.schema !== SCHEMA || Date.now() - kept.savedAtMs > MAX_AGE_MS) {
    await clearKept();
    return null;
  }
  for (const { queryKey, data, updatedAt } of kept.queries)
    client.setQueryData(queryKey, data, { updatedAt });
  return kept.user;
}

/** Clears everything, also changes that were not sent. */
export async function clearKept(): Promise<void> {
  await clear(keptStore).catch(() => undefined);
  setMark(false);
}

/** Clears the answers after an ended session: changes that wait stay, and are sent when the same user has signed in again. */
export async function clearAnswers(): Promise<void> {
  await del(SNAPSHOT, keptStore).catch(() => undefined);
}

/** Clears what this device keeps of any other user than the one who signs in: their answers, changes that wait, and recent lookups. */
export async function clearOfOthers(userId: string): Promise<void> {
  clearRecentOfOthers(() => localStorage, userId);
  const owner = await get<string>(OWNER, keptStore).catch(() => undefined);
  if (owner !== undefined && owner !== userId) await clearKept();
}

async function keep(client: QueryClient, userId: string): Promise<void> {
  const user = client.getQueryData<User | null>(meQueryKey);
  if (user?.id !== userId || client.getQueryData<boolean>(sessionEndedKey)) return;
  await clearOfOthers(userId);
  const read = client.getQueryCache().findAll({ predicate: isWorthKeeping }).map(keptOf);
  const queries = withinSize(withEarlier(read, await readSnapshot(), userId));
  const snapshot: Snapshot = { schema: SCHEMA, user, savedAtMs: Date.now(), queries };
  setMark(true);
  const entries: [string, unknown][] = [
    [OWNER, userId],
    [SNAPSHOT, snapshot],
  ];
  await setMany(entries, keptStore).catch(() => undefined);
  // Signed out while it was written.
  if (client.getQueryData<User | null>(meQueryKey)?.id !== userId) await clearKept();
}

function readSnapshot(): Promise<Snapshot | undefined> {
  return get<Snapshot>(SNAPSHOT, keptStore).catch(() => undefined);
}

/**
 * Returns what this load of the page has read, and what earlier ones have of other cases. Lists of saved cases are replaced as a whole
 * once the list was read anew: a case that was removed since is in none of them.
 */
export function withEarlier(read: readonly Kept[], earlier: Snapshot | undefined, userId: string): Kept[] {
  if (earlier?.schema !== SCHEMA || earlier.user.id !== userId) return [...read];
  const keys = new Set(read.map(({ queryKey }) => JSON.stringify(queryKey)));
  const hasNewList = read.some(({ queryKey: [name, part] }) => name === 'saved-cases' && part === 'pages');
  const stillGood = earlier.queries.filter(
    ({ queryKey, updatedAt }) =>
      !keys.has(JSON.stringify(queryKey)) &&
      Date.now() - updatedAt <= MAX_AGE_MS &&
      !(hasNewList && queryKey[0] === 'saved-cases'),
  );
  return [...read, ...stillGood];
}

function isWorthKeeping({ queryKey, state }: Query): boolean {
  return isKept(queryKey) && state.data !== undefined;
}

function keptOf({ queryKey, state }: Query): Kept {
  return { queryKey, data: state.data, updatedAt: state.dataUpdatedAt };
}

/** Returns the newest answers that fit together. */
export function withinSize(queries: readonly Kept[], maxCharacters = MAX_CHARACTERS): Kept[] {
  let left = maxCharacters;
  return [...queries]
    .sort((one, other) => other.updatedAt - one.updatedAt)
    .filter(({ queryKey, data }) => {
      left -= JSON.stringify([queryKey, data]).length;
      return left >= 0;
    });
}
