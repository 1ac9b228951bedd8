import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Pool } from 'pg';
import type { CallLog } from '../domain/call-log.ts';
import type { CallCounts } from '../domain/call-overview.ts';
import type { AuditTrail } from '../domain/list-audit.ts';
import type { LogViews } from '../domain/log-views.ts';
import type { LogMaintenance } from '../domain/maintain-log.ts';
import { createAuditTrail } from './audit-trail.ts';
import { createCallCounts } from './call-counts.ts';
import { createCallLog } from './call-log.ts';
import { createLogMaintenance } from './log-maintenance.ts';
import { createLogViews } from './log-views.ts';

export interface Database {
  readonly calls: CallLog;
  readonly counts: CallCounts;
  readonly audit: AuditTrail;
  readonly maintenance: LogMaintenance;
  readonly views: LogViews;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** Opens the service's stores and their connections. */
export function openDatabase(options: { url: string; maximum: number; logger: Logger }): Database {
  const pool = createDatabasePool({ ...options, service: 'admin-log' });
  return {
    calls: createCallLog(pool),
    counts: createCallCounts(pool),
    audit: createAuditTrail(pool),
    maintenance: createLogMaintenance(pool),
    views: createLogViews(pool),
    pool,
    close: () => pool.end(),
  };
}
