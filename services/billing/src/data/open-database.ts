import type { EventBus } from '@casewatch/messaging/event-bus';
import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Pool } from 'pg';
import type { Store } from '../domain/store.ts';
import { PrismaClient } from '../generated/client.ts';
import { createAccounts } from './accounts.ts';
import { createProviderEvents } from './provider-events.ts';
import { createUserLocks } from './user-locks.ts';

export interface Database {
  readonly store: Store;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** The service's store with the connections it works on: those that wait for the provider are kept apart. */
export function openDatabase(options: {
  url: string;
  maximum: number;
  usersAtOnce: number;
  logger: Logger;
  bus: EventBus;
}): Database {
  const { url, logger, maximum, usersAtOnce, bus } = options;
  const { pool, adapter } = createDatabasePool({ url, logger, maximum, service: 'billing' });
  const locks = createDatabasePool({ url, logger, maximum: usersAtOnce, service: 'billing' }).pool;
  const prisma = new PrismaClient({ adapter });
  return {
    store: { ...createAccounts(prisma, bus), ...createProviderEvents(prisma), ...createUserLocks(locks) },
    pool,
    close: async () => {
      await prisma.$disconnect();
      await Promise.all([pool.end(), locks.end()]);
    },
  };
}
