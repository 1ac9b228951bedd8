import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { GroupConsumer } from './group-consumer.ts';
import { pruneInbox } from './inbox.ts';
import { waitingInOutbox } from './outbox-rows.ts';
import { createWakeUp } from './wake-up.ts';

export interface HousekeepingOptions {
  clock: Clock;
  logger: Logger;
  sweepMs: number;
  inboxRetentionMs: number;
  outboxes: readonly SqlExecutor[];
  groups: readonly { group: string; sql: SqlExecutor; consumer: Pick<GroupConsumer, 'redrive'> }[];
}

const PRUNE_EVERY_MS = 3_600_000;

/** What is done from time to time beside the relays: asked-for redrives at every sweep, old inbox rows hourly. */
export function keepHouse(options: HousekeepingOptions) {
  const { clock, logger } = options;
  const stopping = new AbortController();
  const bell = createWakeUp();
  let pruneAtMs = clock.nowMs();
  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const { group, consumer } of options.groups) {
        await attempt(() => consumer.redrive(), group);
      }
      if (clock.nowMs() >= pruneAtMs) {
        pruneAtMs = clock.nowMs() + PRUNE_EVERY_MS;
        await attempt(pruneInboxes, undefined);
      }
      const enough = new AbortController();
      await bell.wait(clock.sleep(options.sweepMs, enough.signal).catch(() => undefined));
      enough.abort();
    }
  }

  async function attempt(work: () => Promise<void>, group: string | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      logger.warn({ err: error, group }, 'event housekeeping failed; it is tried again');
    }
  }

  /** An event that waits in an outbox can come again however old it is: nothing since then is forgotten. */
  async function pruneInboxes(): Promise<void> {
    const waiting = await Promise.all(options.outboxes.map(waitingInOutbox));
    const beforeMs = Math.min(
      clock.nowMs() - options.inboxRetentionMs,
      ...waiting.map(({ oldestMs }) => oldestMs ?? Number.POSITIVE_INFINITY),
    );
    for (const { group, sql } of options.groups) await pruneInbox(sql, group, beforeMs);
  }

  return {
    poke: () => bell.ring(),
    async stop(): Promise<void> {
      stopping.abort();
      bell.ring();
      await running;
    },
  };
}
