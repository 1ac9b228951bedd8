import { LRUCache } from 'lru-cache';
import type { Clock } from '../runtime/clock.ts';

/** A store of short-lived texts that may lose anything at any time; correctness never rests on it. */
export interface Cache {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
}

/** One process's cache, at most `maxEntries` entries. */
export function createMemoryCache(clock: Clock, maxEntries = 50_000): Cache {
  const entries = new LRUCache<string, { value: string; expiresAtMs: number }>({ max: maxEntries });
  return {
    async get(key) {
      const entry = entries.get(key);
      return entry && clock.nowMs() < entry.expiresAtMs ? entry.value : undefined;
    },
    async set(key, value, ttlMs) {
      entries.set(key, { value, expiresAtMs: clock.nowMs() + ttlMs });
    },
    async delete(key) {
      entries.delete(key);
    },
  };
}
