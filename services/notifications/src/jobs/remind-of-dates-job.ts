import type { Job } from '@casewatch/service-definition/define-service';
import type { DatabaseClock } from '@casewatch/service-kit/database/database-clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob } from '@casewatch/service-kit/runtime/polling-job';
import { type ReminderParts, remindOfDates } from '../domain/date-reminders.ts';

/** Reminders are due at whole hours of time zones, some of which begin at a quarter of one. */
const EVERY_MS = 300_000;
const AFTER_FAILURE_MS = 60_000;

/** Reminds of the dates of cases, at the start and every five minutes. Any number of processes may run it. */
export function createRemindOfDatesJob({
  clock,
  logger,
  ...parts
}: ReminderParts & { clock: DatabaseClock; logger: Logger }): Job {
  return createPollingJob({
    name: 'remind-of-dates',
    clock,
    logger,
    retryMs: AFTER_FAILURE_MS,
    async pass({ stopping }) {
      await remindOfDates(parts, await clock.read(), stopping);
      return EVERY_MS;
    },
  });
}
