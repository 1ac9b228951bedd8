export interface RecentCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  entries(): Iterable<[string, Value]>;
  clear(): void;
}

/**
 * Keeps at most `max` values, each for `keepMs` to twice as long: a crowd that came at once does not stay in memory, as it
 * would in a cache that drops values only for newer ones. lru-cache frees what has expired with a timer for each value, or in
 * a sweep over all. Whether a value still holds is up to the caller.
 */
export function createRecentCache<Value>({
  max,
  keepMs,
}: {
  max: number;
  keepMs: number;
}): RecentCache<Value> {
  let newer = new Map<string, Value>();
  let older = new Map<string, Value>();
  let timer: NodeJS.Timeout | undefined;

  function dropOlder(): void {
    clearTimeout(timer);
    older = newer;
    newer = new Map();
    timer = older.size > 0 ? setTimeout(dropOlder, keepMs).unref() : undefined;
  }

  return {
    get: (key) => newer.get(key) ?? older.get(key),
    set(key, value) {
      if (newer.size >= max / 2) dropOlder();
      newer.set(key, value);
      timer ??= setTimeout(dropOlder, keepMs).unref();
    },
    delete(key) {
      newer.delete(key);
      older.delete(key);
    },
    entries: () => [...older, ...newer],
    clear() {
      newer.clear();
      older.clear();
    },
  };
}
