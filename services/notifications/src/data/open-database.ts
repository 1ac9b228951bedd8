import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Pool } from 'pg';
import type { DeliveryLog, DueDelivery } from '../domain/delivery-log.ts';
import type { SettingsStore, Store } from '../domain/store.ts';
import { PrismaClient } from '../generated/client.ts';
import { createAccountDeliveryLog, createDeliveryLog } from './deliveries.ts';
import { createStore } from './notifications.ts';
import { createSettingsStore } from './settings-rows.ts';

export interface Database {
  readonly store: Store;
  readonly settings: SettingsStore;
  readonly deliveries: DeliveryLog;
  readonly accountDeliveries: DeliveryLog<DueDelivery>;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** The service's store and delivery log with the connections they work on. */
export function openDatabase(options: { url: string; maximum: number; logger: Logger }): Database {
  const { pool, adapter } = createDatabasePool({ ...options, service: 'notifications' });
  const prisma = new PrismaClient({ adapter });
  return {
    store: createStore(prisma),
    settings: createSettingsStore(prisma),
    deliveries: createDeliveryLog(poolExecutor(pool)),
    accountDeliveries: createAccountDeliveryLog(poolExecutor(pool)),
    pool,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
