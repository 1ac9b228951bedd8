import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { keepLog, type LogUpkeep } from '../domain/keep-log.ts';
import type { Keeping } from '../domain/retention.ts';

const EVERY_MS = 3_600_000;
const AFTER_FAILURE_MS = 60_000;

export interface KeepLogOptions {
  upkeep: LogUpkeep;
  keeping: Keeping;
  clock: Clock;
  logger: Logger;
}

/** Keeps the log in order at the start and every hour. Any number of processes may run it. */
export function createKeepLogJob({ upkeep, keeping, clock, logger }: KeepLogOptions): Job {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let waitMs = EVERY_MS;
      try {
        await keepLog(upkeep, clock.nowMs(), keeping);
      } catch (error) {
        logger.warn({ err: error }, 'the log could not be kept in order; trying again soon');
        waitMs = AFTER_FAILURE_MS;
      }
      await clock.sleep(waitMs, stopping.signal).catch(() => undefined);
    }
  }

  return {
    name: 'keep-log',
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
