import { randomUUID } from 'node:crypto';
import type { EventBus } from '@casewatch/messaging/event-bus';
import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createAgencyQueue } from './agency-queue.ts';
import { createCaseExports } from './case-exports.ts';
import { createCaseStore } from './pg-case-store.ts';
import { createQuotaLedger } from './pg-quota-ledger.ts';
import { createSavedCaseStore } from './pg-saved-cases.ts';
import { createUserRows } from './user-rows.ts';

/** Opens the service's stores with the connections they share. */
export function openDatabase(options: {
  url: string;
  maximum: number;
  logger: Logger;
  bus: EventBus;
  linkHosts: readonly string[];
  clock: Clock;
}) {
  const pool = createDatabasePool({ ...options, service: 'cases' });
  const agencyQueue = createAgencyQueue(pool, randomUUID(), options.clock);
  return {
    pool,
    users: createUserRows(options.bus),
    agencyQueue,
    caseStore: createCaseStore(pool, options.bus, agencyQueue, options),
    caseExports: createCaseExports(pool),
    savedCases: createSavedCaseStore(pool, options),
    quotaLedger: createQuotaLedger(pool),
    close: () => pool.end(),
  };
}
