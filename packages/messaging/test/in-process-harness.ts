import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { pino } from 'pino';
import { startInProcessBus } from '../src/in-process-bus.ts';
import { publishAgain } from '../src/outbox-rows.ts';
import type { BusHarness } from './bus-harness.ts';
import { createEventsDatabase, RELAYED } from './events-database.ts';

type InProcessBus = Awaited<ReturnType<typeof startInProcessBus>>;

/** Resolves when nothing is pending. Waits for retries on the bus's clock. */
export async function untilIdle(bus: InProcessBus): Promise<void> {
  while (await bus.busy()) {
    bus.poke();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The in-process adapter on a real PostgreSQL. */
export async function createInProcessHarness(): Promise<BusHarness> {
  const database = await createEventsDatabase();
  return {
    database,
    startMember: async ({ clock = systemClock, ...options }) => {
      const bus = await startInProcessBus({
        logger: pino({ level: 'silent' }),
        clock,
        sources: RELAYED.map((service) => ({ service, databaseUrl: database.urlFor(service) })),
        databaseUrlFor: database.urlFor,
        ...options,
      });
      return { idle: () => untilIdle(bus), stop: bus.stop };
    },
    replay: async () => {
      for (const source of RELAYED) await database.transaction(source, publishAgain);
    },
    close: database.drop,
  };
}
