import type { Clock } from '@casewatch/platform/runtime/clock';
import type { Logger } from '@casewatch/platform/runtime/logger';
import type { Job } from '@casewatch/platform/runtime/service-definition';
import type { Sessions } from '../domain/store.ts';

const EVERY_MS = 10 * 60_000;
/** Small enough that one statement holds its locks only for a moment. */
const BATCH = 1_000;

export interface RemoveExpiredSessionsOptions {
  sessions: Sessions;
  clock: Clock;
  logger: Logger;
}

/** Removes sessions that are over, at the start and every ten minutes. They admit nobody even before. */
export function createExpiredSessionsJob({ sessions, clock, logger }: RemoveExpiredSessionsOptions): Job {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await removeAll();
      } catch (error) {
        logger.warn({ err: error }, 'could not remove expired sessions; trying again later');
      }
      await clock.sleep(EVERY_MS, stopping.signal).catch(() => undefined);
    }
  }

  async function removeAll(): Promise<void> {
    const nowMs = clock.nowMs();
    let removed: number;
    do removed = await sessions.removeExpired(nowMs, BATCH);
    while (removed === BATCH && !stopping.signal.aborted);
  }

  return {
    name: 'remove-expired-sessions',
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
