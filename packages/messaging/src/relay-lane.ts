import type { LaneQuery, OutboxRow } from './outbox-rows.ts';

/** No more events of a key are dispatched while this many are in flight: a blocked key must not fill the lane. */
export const DISPATCHED_PER_KEY = 10;

export type RelayLane = ReturnType<typeof createRelayLane>;

/**
 * Creates the events of one topic on their way to one consumer: those dispatched and not yet marked as settled. Lanes are
 * independent, so that a consumer that is stuck fills its own and holds up no other.
 */
export function createRelayLane(topic: string, consumer: string, window: number) {
  const inFlight = new Map<string, OutboxRow>();
  const perKey = new Map<string, number>();
  /** Keys of which no more are dispatched until half of theirs have left. */
  const crowded = new Set<string>();
  let settled: OutboxRow[] = [];
  let hasMore = false;
  const room = () => (inFlight.size <= window / 2 ? window - inFlight.size : 0);

  return {
    topic,
    consumer,
    /** How many events may be loaded: none until half of the window is free. */
    room,
    /** What to load for it. */
    query: (): LaneQuery => ({
      topic,
      consumer,
      room: room(),
      except: [...inFlight.keys()],
      exceptKeys: [...crowded],
    }),
    /** Whether a load may find more than the last one. */
    canLoad: () => hasMore && room() > 0,
    /** Records how many the last load found, and for how many there was room. */
    loaded(found: number, room: number): void {
      hasMore = found >= room;
    },

    /** Returns whether the event may be dispatched now. Once one of a key may not, none after it may. */
    add(row: OutboxRow): boolean {
      if (crowded.has(row.key)) return false;
      inFlight.set(row.seq, row);
      const count = (perKey.get(row.key) ?? 0) + 1;
      perKey.set(row.key, count);
      if (count >= DISPATCHED_PER_KEY) crowded.add(row.key);
      return true;
    },

    /** The event left: it is marked as settled, or must be dispatched again. */
    remove(row: OutboxRow): void {
      if (!inFlight.delete(row.seq)) return;
      const count = (perKey.get(row.key) ?? 1) - 1;
      if (count === 0) perKey.delete(row.key);
      else perKey.set(row.key, count);
      if (count <= DISPATCHED_PER_KEY / 2 && crowded.delete(row.key)) hasMore = true;
    },

    /** Settled events that are to be marked. */
    settle: (row: OutboxRow) => void settled.push(row),
    takeSettled(): readonly OutboxRow[] {
      const taken = settled;
      settled = [];
      return taken;
    },
  };
}
