import type { EventBus } from '@casewatch/messaging/event-bus';
import { openPrisma } from '@casewatch/service-kit/database/prisma-adapter';
import { sqlOf } from '@casewatch/service-kit/database/sql-executor';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Store } from '../domain/store.ts';
import { type Prisma, PrismaClient } from '../generated/client.ts';
import { peopleOf } from './people.ts';
import { resultsOf } from './results.ts';
import { surveysOf } from './surveys.ts';

/** Opens the service's store and its connections. */
export function openDatabase(options: { url: string; maximum: number; logger: Logger; bus: EventBus }) {
  const { prisma, pool, close } = openPrisma((adapter) => new PrismaClient({ adapter }), {
    ...options,
    service: 'surveys',
  });
  return { store: createStore(prisma, options.bus), pool, close };
}

/** How long a transaction may wait for a connection before the request fails. */
const MAX_WAIT_MS = 5_000;
/** Deleting a survey with a hundred thousand responses takes seconds. */
const TIMEOUT_MS = 60_000;

const tablesOf = (db: Prisma.TransactionClient) => ({
  surveys: surveysOf(db),
  people: peopleOf(db),
  results: resultsOf(db),
});

/** Creates the store on PostgreSQL; events go into the outbox within the transaction that causes them. */
export function createStore(prisma: PrismaClient, bus: EventBus): Store {
  return {
    ...tablesOf(prisma),
    transaction: (work) =>
      prisma.$transaction(
        (tx) =>
          work({
            ...tablesOf(tx),
            publish: (event, payload) => bus.publish(sqlOf(tx), event, payload),
          }),
        { maxWait: MAX_WAIT_MS, timeout: TIMEOUT_MS },
      ),
  };
}
