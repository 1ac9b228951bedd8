import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { loadPending, markSettled, type OutboxRow, pendingTopics } from './outbox-rows.ts';
import { createRelayLane, type RelayLane } from './relay-lane.ts';

export interface RelayLanesOptions {
  clock: Clock;
  /** Most events of a topic in flight to one consumer at a time: the rest stays in the table. */
  window: number;
  /** Consumers of a topic, which take its events independently; an event is done when all have settled it. One by default. */
  consumersOf?(topic: string): readonly string[];
  /**
   * Dispatches one event to one consumer; resolves when it is settled, rejects when it must be dispatched again later.
   * Called in order per consumer, topic and key, without waiting for the one before.
   */
  dispatch(row: OutboxRow, consumer: string): Promise<void>;
}

/**
 * Moves events from the outbox to their consumers, each topic and consumer in a lane of its own. Outlives connections: what is in
 * flight when one is lost is neither loaded again nor forgotten.
 */
export function createRelayLanes(options: RelayLanesOptions, onSettled: () => void) {
  const lanesByTopic = new Map<string, readonly RelayLane[]>();
  const inFlight = new Set<Promise<void>>();
  const allLanes = () => [...lanesByTopic.values()].flat();

  /** A topic that nothing consumes has a consumer without a name, which settles its events at once. */
  function consumersOf(topic: string): readonly string[] {
    const consumers = options.consumersOf?.(topic) ?? [];
    return consumers.length > 0 ? consumers : [''];
  }

  function lanesOf(topic: string): readonly RelayLane[] {
    const known = lanesByTopic.get(topic);
    if (known) return known;
    const made = consumersOf(topic).map((consumer) => createRelayLane(topic, consumer, options.window));
    lanesByTopic.set(topic, made);
    return made;
  }

  function dispatch(row: OutboxRow, lane: RelayLane): void {
    const dispatching = options
      .dispatch(row, lane.consumer)
      .then(
        () => lane.settle(row),
        () => lane.remove(row),
      )
      .finally(() => {
        inFlight.delete(dispatching);
        onSettled();
      });
    inFlight.add(dispatching);
  }

  return {
    /** Loads and dispatches what the lanes have room for. Resolves to the number of events loaded. */
    async load(sql: SqlExecutor): Promise<number> {
      const topics = await pendingTopics(sql);
      const asked = topics.flatMap(lanesOf).map((lane) => ({ lane, room: lane.room() }));
      const loaded = asked.some(({ room }) => room > 0)
        ? await loadPending(
            sql,
            asked.map(({ lane }) => lane.query()),
          )
        : [];
      for (const lane of allLanes()) lane.loaded(0, 1);
      for (const [index, { lane, room }] of asked.entries()) {
        const rows = loaded[index] ?? [];
        lane.loaded(rows.length, room);
        for (const row of rows) if (lane.add(row)) dispatch(row, lane);
      }
      return loaded.flat().length;
    },

    /** Whether a lane has room for events that the last load left in the table. */
    canLoad: () => allLanes().some((lane) => lane.canLoad()),

    /** Marks what was settled since the last time. */
    async markSettled(sql: SqlExecutor): Promise<void> {
      for (const lane of allLanes()) {
        const rows = lane.takeSettled();
        if (rows.length === 0) continue;
        const by = {
          consumer: lane.consumer,
          consumers: consumersOf(lane.topic),
          nowMs: options.clock.nowMs(),
        };
        try {
          await markSettled(
            sql,
            rows.map(({ seq }) => seq),
            by,
          );
        } catch (error) {
          for (const row of rows) lane.settle(row);
          throw error;
        }
        for (const row of rows) lane.remove(row);
      }
    },

    /** Resolves when nothing is in flight. */
    async drained(): Promise<void> {
      await Promise.all(inFlight);
    },
  };
}
