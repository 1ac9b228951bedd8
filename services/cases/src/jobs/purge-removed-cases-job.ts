import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob } from '@casewatch/service-kit/runtime/polling-job';
import type { SavedCaseStore } from '../domain/saved-case-store.ts';

const EVERY_MS = 3_600_000;
/** Small enough that one statement holds its locks only for a moment. */
const BATCH = 1_000;

/** Forgets cases that were removed too long ago to be restored, at the start and every hour. Any number of processes may run it. */
export function createPurgeRemovedCasesJob(options: {
  savedCases: Pick<SavedCaseStore, 'purgeRemoved'>;
  clock: Clock;
  logger: Logger;
}): Job {
  const { savedCases, clock, logger } = options;
  return createPollingJob({
    name: 'purge-removed-cases',
    clock,
    logger,
    retryMs: EVERY_MS,
    async pass({ stopping }) {
      let purged: number;
      do purged = await savedCases.purgeRemoved(BATCH);
      while (purged === BATCH && !stopping.aborted);
      return EVERY_MS;
    },
  });
}
