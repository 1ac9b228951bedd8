import type { BusLevels } from './bus-levels.ts';
import { type BusOptions, openBusParts } from './bus-parts.ts';

/** Every handler of the product belongs in `handlers`: an event is done when their groups have committed. */
export type InProcessBusOptions = BusOptions;

/**
 * The event bus of one process: relays dispatch the events of every outbox to the consumer groups here, each in a
 * transaction of its own. Survives a crash at any point: pending events are dispatched again, and the inboxes
 * keep their effects from happening twice. Several such processes on one database share the outboxes, each of
 * which is relayed in parts.
 */
export async function startInProcessBus(options: InProcessBusOptions) {
  const parts = openBusParts(options);
  const consumersOf = Map.groupBy(
    parts.groups.flatMap(({ consumer }) => consumer.topics.map((topic) => ({ topic, consumer }))),
    ({ topic }) => topic,
  );
  const relays = parts.startRelays(async (row) => {
    const dispatched = (consumersOf.get(row.topic) ?? []).map(({ consumer }) => consumer.dispatch(row));
    // All must end before the row is dispatched again, so that no group handles it twice at the same time.
    const ends = await Promise.allSettled(dispatched);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  });
  const maintenance = parts.startMaintenance();

  async function stopAll(): Promise<void> {
    await Promise.all([
      ...relays.map((relay) => relay.stop()),
      ...parts.groups.map(({ consumer }) => consumer.stop()),
      maintenance.stop(),
    ]);
    await parts.close();
  }
  let stopped: Promise<void> | undefined;

  return {
    /**
     * Resolves when everything published so far, and what its handlers published, is handled or dead-lettered.
     * Waits for retries on the bus's clock.
     */
    async idle(): Promise<void> {
      while (await parts.busy()) {
        for (const relay of relays) relay.poke();
        maintenance.poke();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },

    /** Depth and age of each outbox; events in flight and time of the last progress of each group. */
    async stats() {
      const outboxes = await parts.outboxStats();
      return {
        outboxes: outboxes.map((outbox, index) => ({
          ...outbox,
          shards: relays[index]?.shards() ?? 0,
        })),
        groups: await parts.groupStats(),
      };
    },

    /** Values of the bus's gauges: the lag of a group is its events in flight. */
    async levels(): Promise<BusLevels> {
      const [outboxes, groups] = await Promise.all([parts.outboxStats(), parts.groupStats()]);
      return { outboxes, groups: groups.map((group) => ({ ...group, lag: group.waiting })) };
    },

    /** Finishes the handlers in progress; pending events stay in the outboxes. */
    stop(): Promise<void> {
      stopped ??= stopAll();
      return stopped;
    },
  };
}
