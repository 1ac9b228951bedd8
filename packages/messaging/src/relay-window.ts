import type { OutboxRow } from './outbox-rows.ts';

/** No more events of a key are loaded while so many are in flight: a blocked key must not fill the window. */
export const LOADED_PER_KEY = 10;

/** The events that a relay has dispatched and not yet marked as done. */
export function createRelayWindow() {
  const rows = new Map<string, OutboxRow>();
  const perKey = new Map<string, number>();
  const perShard = new Map<number, number>();
  /** Keys of which no more are loaded until half of theirs have left. */
  const crowded = new Set<string>();

  return {
    size: () => rows.size,
    seqs: () => [...rows.keys()],
    crowdedKeys: () => [...crowded],
    inShard: (shard: number) => perShard.get(shard) ?? 0,

    add(row: OutboxRow): void {
      rows.set(row.seq, row);
      const key = nameOf(row);
      const count = (perKey.get(key) ?? 0) + 1;
      perKey.set(key, count);
      if (count >= LOADED_PER_KEY) crowded.add(key);
      perShard.set(row.shard, (perShard.get(row.shard) ?? 0) + 1);
    },

    /** Returns whether more of the event's key may be loaded again. */
    remove(row: OutboxRow): boolean {
      if (!rows.delete(row.seq)) return false;
      const key = nameOf(row);
      const count = (perKey.get(key) ?? 1) - 1;
      if (count === 0) perKey.delete(key);
      else perKey.set(key, count);
      perShard.set(row.shard, (perShard.get(row.shard) ?? 1) - 1);
      return count <= LOADED_PER_KEY / 2 && crowded.delete(key);
    },
  };
}

/** As `loadWaiting` compares it. */
const nameOf = ({ topic, key }: OutboxRow) => `${topic} ${key}`;
