import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { LRUCache } from 'lru-cache';

/** A store of short-lived texts that may lose any entry at any time; correctness never depends on it. */
export interface Cache {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Like `set`, unless there is an entry. Resolves to whether there was none; true while the store is unavailable. */
  add(key: string, value: string, ttlMs: number): Promise<boolean>;
  delete(key: string): Promise<void>;
}

/** One process's cache, at most `maxEntries` entries. */
export function createMemoryCache(clock: Clock, maxEntries = 50_000): Cache {
  const entries = new LRUCache<string, { value: string; expiresAtMs: number }>({ max: maxEntries });
  const valid = (key: string) => {
    const entry = entries.get(key);
    return entry && clock.nowMs() < entry.expiresAtMs ? entry : undefined;
  };
  return {
    async get(key) {
      return valid(key)?.value;
    },
    async set(key, value, ttlMs) {
      entries.set(key, { value, expiresAtMs: clock.nowMs() + ttlMs });
    },
    async add(key, value, ttlMs) {
      if (valid(key)) return false;
      entries.set(key, { value, expiresAtMs: clock.nowMs() + ttlMs });
      return true;
    },
    async delete(key) {
      entries.delete(key);
    },
  };
}
