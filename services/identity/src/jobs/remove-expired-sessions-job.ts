import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob } from '@casewatch/service-kit/runtime/polling-job';
import type { AccountMails, AdminSessions, Passkeys, Sessions } from '../domain/store.ts';

const EVERY_MS = 10 * 60_000;
/** How long an address counts as one that an administrator has used. */
const ADMIN_NETWORKS_KEPT_MS = 30 * 24 * 60 * 60_000;
/** Small enough that one statement holds its locks only for a moment. */
const BATCH = 1_000;

export interface RemoveExpiredSessionsOptions {
  store: {
    adminSessions: Pick<AdminSessions, 'removeEnded'>;
    sessions: Pick<Sessions, 'removeExpired'>;
    mails: Pick<AccountMails, 'removeExpired'>;
    passkeys: Pick<Passkeys, 'removeExpired'>;
  };
  clock: Clock;
  logger: Logger;
}

/** Removes expired sessions, links and challenges at the start and every ten minutes. They are invalid even before. */
export function createExpiredSessionsJob({ store, clock, logger }: RemoveExpiredSessionsOptions): Job {
  return createPollingJob({
    name: 'remove-expired-sessions',
    clock,
    logger,
    retryMs: EVERY_MS,
    async pass({ stopping }) {
      const nowMs = clock.nowMs();
      await store.adminSessions.removeEnded(nowMs - ADMIN_NETWORKS_KEPT_MS);
      let removed: number;
      do removed = await store.sessions.removeExpired(nowMs, BATCH);
      while (removed === BATCH && !stopping.aborted);
      do removed = await store.mails.removeExpired(nowMs, BATCH);
      while (removed >= BATCH && !stopping.aborted);
      do removed = await store.passkeys.removeExpired(nowMs, BATCH);
      while (removed === BATCH && !stopping.aborted);
      return EVERY_MS;
    },
  });
}
