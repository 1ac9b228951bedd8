import type { EventBus } from '@casewatch/messaging/event-bus';
import { sqlOf } from '@casewatch/service-kit/database/sql-executor';
import type { Store } from '../domain/store.ts';
import type { PrismaClient } from '../generated/client.ts';
import { accountsOf } from './prisma-accounts.ts';
import { adminSessionsOf } from './prisma-admin-sessions.ts';
import { sessionsOf } from './prisma-sessions.ts';

/** How long a transaction may wait for a connection before the request fails. */
const MAX_WAIT_MS = 5_000;
const TIMEOUT_MS = 10_000;

/** The store on PostgreSQL; events go into the outbox within the transaction that causes them. */
export function createPrismaStore(prisma: PrismaClient, bus: EventBus): Store {
  return {
    accounts: accountsOf(prisma),
    sessions: sessionsOf(prisma),
    adminSessions: adminSessionsOf(prisma),
    transaction: (work) =>
      prisma.$transaction(
        (tx) =>
          work({
            accounts: accountsOf(tx),
            sessions: sessionsOf(tx),
            adminSessions: adminSessionsOf(tx),
            publish: (event, payload) => bus.publish(sqlOf(tx), event, payload),
          }),
        { maxWait: MAX_WAIT_MS, timeout: TIMEOUT_MS },
      ),
  };
}
