import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';
import { createPollingJob, type PollingJob } from './polling-job.ts';

/** Small enough that one statement holds its locks only for a moment. */
const BATCH = 1_000;
/** Leaves the database to others between two batches. */
const BETWEEN_BATCHES_MS = 100;
const AFTER_FAILURE_MS = 60_000;

/** Creates a job that removes what is over, at the start and then every `everyMs`. Any number of processes may run it. */
export function createRemovalJob(options: {
  name: string;
  everyMs: number;
  clock: Clock;
  logger: Logger;
  /** Each removes up to `limit` and resolves to how many it has removed. */
  removals: readonly ((limit: number) => Promise<number>)[];
}): PollingJob {
  const { everyMs, removals, ...job } = options;
  return createPollingJob({
    ...job,
    retryMs: AFTER_FAILURE_MS,
    async pass() {
      let isMore = false;
      for (const remove of removals) isMore = (await remove(BATCH)) >= BATCH || isMore;
      return isMore ? BETWEEN_BATCHES_MS : everyMs;
    },
  });
}
