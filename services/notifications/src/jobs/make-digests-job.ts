import type { DatabaseClock } from '@casewatch/service-kit/database/database-clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob, type PollingJob } from '@casewatch/service-kit/runtime/polling-job';
import { type DigestSchedules, makeDueDigests } from '../domain/digests.ts';

const PAGE = 200;
const POLL_MS = 30_000;
const RETRY_MS = 5_000;

/** Makes digests as they become due, a page at a time; any number of processes may run it. `onMade`: they can be sent. */
export function createMakeDigestsJob(options: {
  name: string;
  schedules: DigestSchedules;
  clock: DatabaseClock;
  logger: Logger;
  onMade: () => void;
}): PollingJob {
  const { name, schedules, clock, logger, onMade } = options;
  return createPollingJob({
    name,
    clock,
    logger,
    retryMs: RETRY_MS,
    async pass() {
      const { found, made } = await makeDueDigests(schedules, await clock.read(), PAGE, logger);
      if (made > 0) onMade();
      return found === PAGE ? 0 : POLL_MS;
    },
  });
}
