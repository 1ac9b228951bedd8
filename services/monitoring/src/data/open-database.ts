import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createClaimStore } from './claims.ts';
import type { Schedule } from './schedule.ts';
import { createWatchReader } from './watch-reader.ts';

/** Opens what scheduler and routes need of the database, with the connections it works on. */
export function openDatabase(options: {
  url: string;
  maximum: number;
  logger: Logger;
  schedule: Schedule;
  clock: Clock;
}) {
  const pool = createDatabasePool({ ...options, service: 'monitoring' });
  return {
    claims: createClaimStore(pool, options.schedule, options.clock),
    reader: createWatchReader(pool, () => databaseTimeMs(poolExecutor(pool), options.clock)),
    pool,
    close: () => pool.end(),
  };
}
