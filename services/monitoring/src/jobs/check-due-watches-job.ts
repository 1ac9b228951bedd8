import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob, type Stop } from '@casewatch/service-kit/runtime/polling-job';
import { type Checking, checkDueWatches } from '../domain/check-due-watches.ts';
import { createClaimBackoff, MAX_WAIT_MS } from '../domain/claim-backoff.ts';

/** How long a stopping scheduler waits for checks in flight before it releases them. */
const STOP_GRACE_MS = 4_000;

export interface SchedulerOptions extends Checking {
  readonly batch: number;
  /** Passes that run side by side. */
  readonly batchesAtOnce: number;
  readonly pollMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Checks whatever is due, from start to stop. Any number of processes may run it: each watch is claimed by one. */
export function createCheckDueWatchesJob(options: SchedulerOptions): Job {
  const { clock, logger, batch, batchesAtOnce, pollMs } = options;
  const backoff = createClaimBackoff({ batch, pollMs });
  /** While nothing gets through, no pass of this process claims in vain. */
  let heldUntilMs = 0;

  async function check({ abandon }: Stop): Promise<number> {
    try {
      const limit = backoff.size();
      const report = await checkDueWatches(options, limit, abandon);
      if (report.error !== undefined && !abandon.aborted) {
        logger.warn(
          { err: report.error, watches: report.claimed },
          'check due watches: cases unavailable, will retry',
        );
      }
      const waitMs = backoff.waitAfter(report, limit);
      if (report.heldBack > 0) heldUntilMs = Math.max(heldUntilMs, clock.nowMs() + waitMs);
      return waitMs;
    } catch (error) {
      logger.warn({ err: error }, 'check due watches: database failed, will retry');
      return backoff.waitAfterError();
    }
  }

  return createPollingJob({
    name: 'check-due-watches',
    clock,
    logger,
    concurrency: batchesAtOnce,
    retryMs: pollMs,
    graceMs: STOP_GRACE_MS,
    pass: (stop) => {
      const heldMs = heldUntilMs - clock.nowMs();
      // Longer than any wait: the clock was set back.
      return heldMs > 0 && heldMs <= MAX_WAIT_MS ? heldMs : check(stop);
    },
  });
}
