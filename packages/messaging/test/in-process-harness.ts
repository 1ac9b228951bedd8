import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { pino } from 'pino';
import { startInProcessBus } from '../src/in-process-bus.ts';
import type { BusHarness } from './bus-harness.ts';
import { createEventsDatabase, RELAYED } from './events-database.ts';

/** The in-process adapter on a real PostgreSQL. */
export async function createInProcessHarness(): Promise<BusHarness> {
  const database = await createEventsDatabase();
  return {
    database,
    startMember: ({ clock = systemClock, ...options }) =>
      startInProcessBus({
        logger: pino({ level: 'silent' }),
        clock,
        sources: RELAYED.map((service) => ({ service, databaseUrl: database.urlFor(service) })),
        databaseUrlFor: database.urlFor,
        ...options,
      }),
    replay: async () => {
      for (const source of RELAYED) {
        await database.transaction(source, (tx) => tx.query('UPDATE outbox SET done_at = NULL', []));
      }
    },
    close: database.drop,
  };
}
