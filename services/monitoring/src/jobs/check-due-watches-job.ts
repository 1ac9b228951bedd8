import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type Checking, checkDueWatches } from '../domain/check-due-watches.ts';
import { createPace } from '../domain/pace.ts';

/** How long a stopping scheduler waits for checks under way before it releases them. */
const STOP_GRACE_MS = 4_000;

export interface SchedulerOptions extends Checking {
  readonly batch: number;
  /** Passes that run side by side. */
  readonly batchesAtOnce: number;
  readonly pollMs: number;
  readonly logger: Logger;
}

/** Checks whatever is due, from start to stop. Any number of processes may run it: each watch is claimed by one. */
export function createCheckDueWatchesJob(options: SchedulerOptions): Job {
  const { clock, logger, batch, pollMs } = options;
  const stopping = new AbortController();
  const abandon = new AbortController();
  const pace = createPace({ batch, pollMs });
  let running: Promise<unknown> = Promise.resolve();
  /** While nothing gets through, no pass of this process claims in vain. */
  let heldUntilMs = 0;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const heldMs = heldUntilMs - clock.nowMs();
      const waitMs = heldMs > 0 ? heldMs : await pass();
      if (waitMs > 0) await clock.sleep(waitMs, stopping.signal).catch(() => undefined);
    }
  }

  async function pass(): Promise<number> {
    try {
      const limit = pace.size();
      const report = await checkDueWatches(options, limit, abandon.signal);
      if (report.error !== undefined && !abandon.signal.aborted) {
        logger.warn({ err: report.error, watches: report.claimed }, 'cases could not be asked to check');
      }
      const waitMs = pace.waitAfter(report, limit);
      if (report.heldBack > 0) heldUntilMs = Math.max(heldUntilMs, clock.nowMs() + waitMs);
      return waitMs;
    } catch (error) {
      logger.warn({ err: error }, 'could not claim or settle watches; trying again');
      return pace.waitAfterError();
    }
  }

  return {
    name: 'check-due-watches',
    start() {
      running = Promise.all(Array.from({ length: options.batchesAtOnce }, run));
    },
    /** Claims no more, and finishes or releases what it holds. */
    async stop() {
      stopping.abort(new Error('stopping'));
      const finished = new AbortController();
      const grace = abandonAfterGrace(clock, abandon, finished.signal);
      await running;
      finished.abort(new Error('finished'));
      await grace;
    },
  };
}

function abandonAfterGrace(clock: Clock, abandon: AbortController, finished: AbortSignal): Promise<void> {
  return clock.sleep(STOP_GRACE_MS, finished).then(
    () => abandon.abort(new Error('the scheduler stops')),
    () => undefined,
  );
}
