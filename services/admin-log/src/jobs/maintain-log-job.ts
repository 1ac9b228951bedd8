import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
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
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let waitMs = EVERY_MS;
      try {
        await maintainLog(maintenance, clock.nowMs(), retention);
      } catch (error) {
        logger.warn({ err: error }, 'maintain log: failed, will retry');
        waitMs = AFTER_FAILURE_MS;
      }
      await clock.sleep(waitMs, stopping.signal).catch(() => undefined);
    }
  }

  return {
    name: 'maintain-log',
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
