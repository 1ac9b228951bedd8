import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createAuditTrail } from './audit-trail.ts';
import { createCallCounts } from './call-counts.ts';
import { createCallLog } from './call-log.ts';
import { createLogMaintenance } from './log-maintenance.ts';
import { createLogViews } from './log-views.ts';

/** Opens the service's stores and their connections. */
export function openDatabase(options: { url: string; maximum: number; logger: Logger }) {
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
