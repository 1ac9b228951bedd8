const KEY = 'skipped-surveys';

/** A browser that forbids storage throws on access. */
type OpenStore = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface Kept {
  userId: string;
  ids: readonly string[];
}

/** Returns the ids of the surveys that the user has skipped in this session; empty when nothing can be read. */
export function readSkipped(openStore: OpenStore, userId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(openStore().getItem(KEY) ?? 'null');
    return isKept(kept) && kept.userId === userId ? kept.ids : [];
  } catch {
    return [];
  }
}

/** Remembers which surveys are skipped, of one user alone. A browser that keeps nothing forgets them with the page. */
export function writeSkipped(openStore: OpenStore, userId: string, ids: readonly string[]): void {
  try {
    openStore().setItem(KEY, JSON.stringify({ userId, ids } satisfies Kept));
  } catch {
    // Storage may be full or forbidden: the page still has them in memory.
  }
}

/** Forgets what was skipped: in the next one every survey that is due is shown. */
export function forgetSkipped(openStore: OpenStore): void {
  try {
    openStore().removeItem(KEY);
  } catch {
    // What can't be read can't be kept either.
  }
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    'userId' in value &&
    'ids' in value &&
    Array.isArray(value.ids) &&
    value.ids.every((id) => typeof id === 'string')
  );
}
