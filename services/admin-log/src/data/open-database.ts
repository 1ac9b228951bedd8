import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Pool } from 'pg';
import type { AuditTrail } from '../domain/audit-trail.ts';
import type { CallLog } from '../domain/call-log.ts';
import type { CallCounts } from '../domain/call-overview.ts';
import type { LogUpkeep } from '../domain/keep-log.ts';
import { PrismaClient } from '../generated/client.ts';
import { createCallCounts } from './pg-call-counts.ts';
import { createCallLog } from './pg-call-log.ts';
import { createLogUpkeep } from './pg-log-upkeep.ts';
import { createAuditTrail } from './prisma-audit-trail.ts';

export interface Database {
  readonly calls: CallLog;
  readonly counts: CallCounts;
  readonly audit: AuditTrail;
  readonly upkeep: LogUpkeep;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** What the service keeps, with the connections it works on. */
export function openDatabase(options: { url: string; maximum: number; logger: Logger }): Database {
  const { pool, adapter } = createDatabasePool({ ...options, service: 'admin-log' });
  const prisma = new PrismaClient({ adapter });
  return {
    calls: createCallLog(pool),
    counts: createCallCounts(pool),
    audit: createAuditTrail(prisma),
    upkeep: createLogUpkeep(pool),
    pool,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
