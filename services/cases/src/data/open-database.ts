import type { EventBus } from '@casewatch/messaging/event-bus';
import { openPrisma } from '@casewatch/service-kit/database/prisma-adapter';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { PrismaClient } from '../generated/client.ts';
import { createCaseExports } from './case-exports.ts';
import { createCaseStore } from './pg-case-store.ts';
import { createQuotaLedger } from './pg-quota-ledger.ts';
import { createSavedCaseStore } from './prisma-saved-cases.ts';

/** The service's stores with the connections they share. */
export function openDatabase(options: {
  url: string;
  maximum: number;
  logger: Logger;
  bus: EventBus;
  linkHosts: readonly string[];
}) {
  const { prisma, pool, close } = openPrisma((adapter) => new PrismaClient({ adapter }), {
    ...options,
    service: 'cases',
  });
  return {
    pool,
    caseStore: createCaseStore(pool, options.bus, options.linkHosts),
    caseExports: createCaseExports(pool),
    savedCases: createSavedCaseStore(prisma, pool, options.bus),
    quotaLedger: createQuotaLedger(pool),
    close,
  };
}
