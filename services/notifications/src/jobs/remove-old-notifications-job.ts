import type { Job } from '@casewatch/service-definition/define-service';
import type { DatabaseClock } from '@casewatch/service-kit/database/database-clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob } from '@casewatch/service-kit/runtime/polling-job';
import { type NotificationRetention, notificationsSince } from '../domain/retention.ts';

const EVERY_MS = 3_600_000;
const AFTER_FAILURE_MS = 60_000;
/** Small enough that one statement holds its locks only for a moment. */
const BATCH = 1_000;
/** Leaves the database to others between two batches. */
const BETWEEN_BATCHES_MS = 100;

export interface RemoveOldNotificationsOptions {
  store: NotificationRetention;
  months: number;
  clock: DatabaseClock;
  logger: Logger;
}

/** Removes notifications and digests that are older than what is kept, at the start and every hour. Any number of processes may run it. */
export function createRemoveOldNotificationsJob({
  store,
  months,
  clock,
  logger,
}: RemoveOldNotificationsOptions): Job {
  return createPollingJob({
    name: 'remove-old-notifications',
    clock,
    logger,
    retryMs: AFTER_FAILURE_MS,
    async pass() {
      const removed = await store.removeBefore(notificationsSince(await clock.read(), months), BATCH);
      return removed < BATCH ? EVERY_MS : BETWEEN_BATCHES_MS;
    },
  });
}
