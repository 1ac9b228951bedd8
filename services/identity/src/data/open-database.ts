import type { EventBus } from '@casewatch/messaging/event-bus';
import { openPrisma } from '@casewatch/service-kit/database/prisma-adapter';
import { sqlOf } from '@casewatch/service-kit/database/sql-executor';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Store } from '../domain/store.ts';
import { type Prisma, PrismaClient } from '../generated/client.ts';
import { accountMailsOf } from './account-mails.ts';
import { accountsOf } from './accounts.ts';
import { adminSessionsOf } from './admin-sessions.ts';
import { administratorsOf } from './administrators.ts';
import { passkeysOf } from './passkeys.ts';
import { deviceSessionsOf, sessionsOf } from './sessions.ts';

/** Opens the service's store and its connections. `sendsMails`: as in `Identity`. */
export function openDatabase(options: {
  url: string;
  maximum: number;
  logger: Logger;
  bus: EventBus;
  sendsMails: boolean;
}) {
  const { prisma, pool, close } = openPrisma((adapter) => new PrismaClient({ adapter }), {
    ...options,
    service: 'identity',
  });
  return { store: createStore(prisma, options.bus, options), pool, close };
}

/** How long a transaction may wait for a connection before the request fails. */
const MAX_WAIT_MS = 5_000;
const TIMEOUT_MS = 10_000;

/** Creates the store on PostgreSQL; events go into the outbox within the transaction that causes them. */
export function createStore(
  prisma: PrismaClient,
  bus: EventBus,
  { sendsMails }: { sendsMails: boolean },
): Store {
  const tablesOf = (db: Prisma.TransactionClient) => ({
    accounts: accountsOf(db, sendsMails),
    sessions: sessionsOf(db),
    deviceSessions: deviceSessionsOf(db),
    mails: accountMailsOf(db),
    passkeys: passkeysOf(db),
    adminSessions: adminSessionsOf(db),
    administrators: administratorsOf(db),
  });
  return {
    ...tablesOf(prisma),
    transaction: (work) =>
      prisma.$transaction(
        (tx) =>
          work({
            ...tablesOf(tx),
            rehearse: async (rehearsed) => {
              await tx.$executeRaw`SAVEPOINT rehearsal`;
              await rehearsed();
              await tx.$executeRaw`ROLLBACK TO SAVEPOINT rehearsal`;
            },
            publish: (event, payload) => bus.publish(sqlOf(tx), event, payload),
          }),
        { maxWait: MAX_WAIT_MS, timeout: TIMEOUT_MS },
      ),
  };
}
