import type { BusLevels } from './bus-levels.ts';
import { type BusOptions, openBusParts } from './bus-parts.ts';

/** All publishers are in this process and give hints: a poll finds only what no hint announced, and an idle process should cost little. */
const MAX_POLL_MS = 400;

/**
 * Starts the event bus of one process: relays dispatch the events of every outbox to the consumer groups here, each in a
 * transaction of its own. Survives a crash at any point: pending events are dispatched again, and the inboxes
 * keep their effects from happening twice. Each group takes the events of each topic at its own pace: one that is stuck holds
 * up no other. Every handler of the product belongs in `handlers`: an event is done when their groups have committed. Of several such processes on one database one relays each outbox, and the others stand by.
 */
export async function startInProcessBus(options: BusOptions) {
  const parts = openBusParts(options);
  const consumers = new Map<string, (typeof parts.groups)[number]['consumer']>(
    parts.groups.map(({ group, consumer }) => [group, consumer]),
  );
  const relays = parts.startRelays(async (row, group) => consumers.get(group)?.dispatch(row), {
    consumersOf: (topic) =>
      [...consumers].flatMap(([group, { topics }]) => (topics.includes(topic) ? [group] : [])),
    maxPollMs: MAX_POLL_MS,
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
    busy: parts.busy,

    /** Polls the outboxes, and looks for requested redrives, now. */
    poke(): void {
      for (const relay of relays) relay.poke();
      maintenance.poke();
    },

    /** Values of the bus's gauges: the lag of a group is its events in flight. */
    levels: (): Promise<BusLevels> => parts.levels((group) => consumers.get(group)?.state().waiting),

    /** Finishes the handlers in progress; pending events stay in the outboxes. */
    stop(): Promise<void> {
      stopped ??= stopAll();
      return stopped;
    },
  };
}
