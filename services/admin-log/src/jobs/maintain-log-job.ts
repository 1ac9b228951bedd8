import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob } from '@casewatch/service-kit/runtime/polling-job';
import { type LogMaintenance, maintainLog } from '../domain/maintain-log.ts';
import type { Retention } from '../domain/retention.ts';

const EVERY_MS = 3_600_000;
const AFTER_FAILURE_MS = 60_000;

export interface MaintainLogOptions {
  maintenance: LogMaintenance;
  retention: Retention;
  clock: Clock;
  logger: Logger;
}

/** Maintains the log at the start and every hour. Any number of processes may run it. */
export function createMaintainLogJob({ maintenance, retention, clock, logger }: MaintainLogOptions): Job {
  return createPollingJob({
    name: 'maintain-log',
    clock,
    logger,
    retryMs: AFTER_FAILURE_MS,
    async pass() {
      await maintainLog(maintenance, clock.nowMs(), retention);
      return EVERY_MS;
    },
  });
}
