import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob, type Stop } from '@casewatch/service-kit/runtime/polling-job';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import type { GroupConsumer } from './group-consumer.ts';
import { pruneInbox } from './inbox.ts';
import { waitingInOutbox } from './outbox-rows.ts';

export interface MaintenanceOptions {
  clock: Clock;
  logger: Logger;
  sweepMs: number;
  inboxRetentionMs: number;
  outboxes: readonly SqlExecutor[];
  groups: readonly { group: string; sql: SqlExecutor; consumer: Pick<GroupConsumer, 'redrive'> }[];
}

const PRUNE_EVERY_MS = 3_600_000;

/** Runs periodic work alongside the relays: requested redrives at every sweep, pruning of old inbox rows hourly. */
export function startMaintenance(options: MaintenanceOptions) {
  const { clock, logger, sweepMs } = options;
  const time = steadyTime(clock);
  let pruneAtMs = time();

  async function pass({ stopping }: Stop): Promise<number> {
    for (const { group, consumer } of options.groups) {
      await attempt(() => consumer.redrive(), group);
    }
    if (time() >= pruneAtMs) {
      pruneAtMs = time() + PRUNE_EVERY_MS;
      await attempt(() => pruneInboxes(stopping), undefined);
    }
    return sweepMs;
  }

  async function attempt(work: () => Promise<void>, group: string | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      logger.warn({ err: error, group }, 'event maintenance: pass failed, will retry');
    }
  }

  /** An event in an outbox can be delivered again however old it is: inbox rows since then are kept. */
  async function pruneInboxes(stopping: AbortSignal): Promise<void> {
    const waiting = await Promise.all(options.outboxes.map(waitingInOutbox));
    const beforeMs = Math.min(
      clock.nowMs() - options.inboxRetentionMs,
      ...waiting.map(({ oldestMs }) => oldestMs ?? Number.POSITIVE_INFINITY),
    );
    for (const { group, sql } of options.groups) {
      while ((await pruneInbox(sql, group, beforeMs)) > 0 && !stopping.aborted);
    }
  }

  const job = createPollingJob({ name: 'event maintenance', clock, logger, retryMs: sweepMs, pass });
  job.start();
  return { poke: job.notify, stop: job.stop };
}
