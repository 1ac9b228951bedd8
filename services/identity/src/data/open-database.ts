import type { EventBus } from '@casewatch/messaging/event-bus';
import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Pool } from 'pg';
import type { Store } from '../domain/store.ts';
import { PrismaClient } from '../generated/client.ts';
import { createPrismaStore } from './prisma-store.ts';

export interface Database {
  readonly store: Store;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** The service's store with the connections it works on. */
export function openDatabase(options: {
  url: string;
  maximum: number;
  logger: Logger;
  bus: EventBus;
}): Database {
  const { pool, adapter } = createDatabasePool({ ...options, service: 'identity' });
  const prisma = new PrismaClient({ adapter });
  return {
    store: createPrismaStore(prisma, options.bus),
    pool,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
