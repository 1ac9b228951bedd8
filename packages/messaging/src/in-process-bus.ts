import type { BusLevels } from './bus-levels.ts';
import { type BusOptions, openBusParts } from './bus-parts.ts';

/** Every handler of the product belongs in `handlers`: an event is done when their groups have committed. */
export type InProcessBusOptions = BusOptions;

export type InProcessBus = Awaited<ReturnType<typeof startInProcessBus>>;

/**
 * The event bus of one process: relays hand the events of every outbox to the consumer groups here, each in a
 * transaction of its own. Survives a crash at any point: what is not done is handed over again, and the inboxes
 * keep its effects from happening twice. Several such processes on one database share the outboxes: each is
 * relayed by one of them at a time.
 */
export async function startInProcessBus(options: InProcessBusOptions) {
  const parts = openBusParts(options);
  const consumersOf = Map.groupBy(
    parts.groups.flatMap(({ consumer }) => consumer.topics.map((topic) => ({ topic, consumer }))),
    ({ topic }) => topic,
  );
  const relays = parts.startRelays(async (row) => {
    const taking = (consumersOf.get(row.topic) ?? []).map(({ consumer }) => consumer.take(row));
    // All must end before the row is handed over again, so that nobody gets it beside itself.
    const ends = await Promise.allSettled(taking);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  });
  const house = parts.keepHouse();

  async function stopAll(): Promise<void> {
    await Promise.all([
      ...relays.map((relay) => relay.stop()),
      ...parts.groups.map(({ consumer }) => consumer.stop()),
      house.stop(),
    ]);
    await parts.close();
  }
  let stopped: Promise<void> | undefined;

  return {
    /**
     * Resolves when everything published so far, and what its handlers published, is handled or set aside.
     * Waits for retries on the bus's clock.
     */
    async idle(): Promise<void> {
      while (await parts.busy()) {
        for (const relay of relays) relay.poke();
        house.poke();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },

    /** Depth and age of each outbox; what each group has in hand and when it last got on. */
    async stats() {
      const outboxes = await parts.outboxStats();
      return {
        outboxes: outboxes.map((outbox, index) => ({
          ...outbox,
          leading: relays[index]?.leading() ?? false,
        })),
        groups: await parts.groupStats(),
      };
    },

    /** What the gauges of the bus say: for each group, the events that it has in hand. */
    async levels(): Promise<BusLevels> {
      const [outboxes, groups] = await Promise.all([parts.outboxStats(), parts.groupStats()]);
      return { outboxes, groups: groups.map((group) => ({ ...group, lag: group.waiting })) };
    },

    /** Finishes the handlers that are under way; what waits stays in the outboxes. */
    stop(): Promise<void> {
      stopped ??= stopAll();
      return stopped;
    },
  };
}
