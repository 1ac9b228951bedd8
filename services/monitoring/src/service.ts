import { adminActed } from '@casewatch/contracts/events';
import { downloadMyMonitoringData } from '@casewatch/contracts/my-data';
import { defineService } from '@casewatch/service-definition/define-service';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { settings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { personalData } from './data/personal-data.ts';
import { createSchedule } from './data/schedule.ts';
import { createWatchLevels } from './data/watch-levels.ts';
import { readNextDueAt } from './data/watch-reader.ts';
import { createWatchRows } from './data/watch-rows.ts';
import { watcherRows as watchers } from './data/watcher-rows.ts';
import { createCheckDueNow, toChecksStarted } from './domain/check-due-now.ts';
import { consumes } from './events/consumes.ts';
import { createRoutes } from './http/routes.ts';
import { createCheckDueWatchesJob } from './jobs/check-due-watches-job.ts';
import { countChecks, measureWatches } from './monitoring-metrics.ts';

/** Batches on demand of an administrator per minute. */
const PASSES = 6;

/** Decides when and which cases are checked, and publishes changes to their watchers. */
export const service = defineService({
  name: 'monitoring',
  settings,
  personalData,
  download: downloadMyMonitoringData,
  init: async ({ settings, logger, clock, databaseUrl, bus, services, limiters, telemetry }) => {
    const schedule = createSchedule(settings.MONITORING_PERIOD_SCALE);
    const { claims, reader, pool, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.MONITORING_DATABASE_CONNECTIONS,
      logger,
      schedule,
      clock,
    });
    measureWatches(telemetry.meter, createWatchLevels(pool, clock));
    const checking = {
      store: claims,
      services,
      tracing: telemetry.tracing,
      count: countChecks(telemetry.meter),
      leaseMs: settings.MONITORING_LEASE_SECONDS * 1_000,
    };
    const passes = limiters({ name: 'due-checks', points: PASSES, perSeconds: 60 });
    const watching = { watches: createWatchRows(schedule, clock), watchers, bus, clock };
    return {
      routes: [
        ...createRoutes({
          reader,
          checkDueNow: createCheckDueNow({
            ...checking,
            batch: settings.MONITORING_BATCH,
            clock,
            nextDueAt: () => readNextDueAt(pool),
            limit: (administrator) => passes.take(administrator),
            audit: (started, actor) =>
              inTransaction(pool, (tx) => bus.publish(tx, adminActed, toChecksStarted(started, actor))),
          }),
        }),
      ],
      consumers: consumes(watching),
      pool,
      jobs: [
        createCheckDueWatchesJob({
          ...checking,
          clock,
          logger,
          batch: settings.MONITORING_BATCH,
          batchesAtOnce: settings.MONITORING_BATCHES_AT_ONCE,
          pollMs: settings.MONITORING_POLL_MS,
        }),
      ],
      stop: close,
    };
  },
});
