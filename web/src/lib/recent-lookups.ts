const KEY = 'recent-lookups';
export const RECENT_MAX = 8;

/** A browser that forbids storage throws on access. */
type OpenStore = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A case that was looked up on this device, and the status it had then. `at` (ISO 8601): when that was. */
export interface RecentLookup {
  receiptNumber: string;
  status: string;
  /** The agency's own Spanish, where it gives one. */
  statusEs?: string | undefined;
  at?: string | undefined;
}

/** Returns the newest lookups of the user on this device, newest first; empty when nothing can be read. */
export function readRecent(openStore: OpenStore, userId: string): readonly RecentLookup[] {
  try {
    const kept: unknown = JSON.parse(openStore().getItem(keyOf(userId)) ?? 'null');
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, RECENT_MAX) : [];
  } catch {
    return [];
  }
}

/** Puts a lookup on top of the list, once, and gives the list back. */
export function rememberRecent(
  openStore: OpenStore,
  userId: string,
  lookup: RecentLookup,
): readonly RecentLookup[] {
  const others = readRecent(openStore, userId).filter(
    ({ receiptNumber }) => receiptNumber !== lookup.receiptNumber,
  );
  const list = [lookup, ...others].slice(0, RECENT_MAX);
  try {
    openStore().setItem(keyOf(userId), JSON.stringify(list));
  } catch {
    // Storage may be full or forbidden: the page still has them in memory.
  }
  return list;
}

export function clearRecent(openStore: OpenStore, userId: string): void {
  try {
    openStore().removeItem(keyOf(userId));
  } catch {
    // What can't be read can't be kept either.
  }
}

/** Removes the lists of all users but one. */
export function clearRecentOfOthers(openStore: () => Storage, userId: string): void {
  try {
    const store = openStore();
    for (const key of Object.keys(store)) {
      if (key.startsWith(`${KEY}-`) && key !== keyOf(userId)) store.removeItem(key);
    }
  } catch {
    // What can't be read can't be kept either.
  }
}

/** Several people may use one device: each sees their own. */
function keyOf(userId: string): string {
  return `${KEY}-${userId}`;
}

function isRecent(value: unknown): value is RecentLookup {
  return (
    typeof value === 'object' &&
    value !== null &&
    'receiptNumber' in value &&
    typeof value.receiptNumber === 'string' &&
    /^[A-Z]{3}[0-9]{10}$/.test(value.receiptNumber) &&
    'status' in value &&
    typeof value.status === 'string' &&
    (!('statusEs' in value) || typeof value.statusEs === 'string') &&
    (!('at' in value) || typeof value.at === 'string')
  );
}
