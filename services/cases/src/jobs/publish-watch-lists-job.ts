import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob } from '@casewatch/service-kit/runtime/polling-job';
import { LISTS } from '../domain/watch-lists.ts';

const IDLE_MS = 10_000;

/**
 * Publishes each user's list of watches about once a week, one by one and only while no other event waits. Any number of processes may run
 * it.
 */
export function createPublishWatchListsJob(options: {
  /** Resolves to whether there was a list to publish. */
  publishNext: () => Promise<boolean>;
  clock: Clock;
  logger: Logger;
}): Job {
  const { publishNext, clock, logger } = options;
  return createPollingJob({
    name: 'publish-watch-lists',
    clock,
    logger,
    retryMs: IDLE_MS,
    pass: async () => ((await publishNext()) ? 1_000 / LISTS.perSecond : IDLE_MS),
  });
}
