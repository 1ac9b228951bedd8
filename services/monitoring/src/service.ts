import { downloadMyMonitoringData } from '@casewatch/contracts/my-data';
import { defineService } from '@casewatch/service-definition/define-service';
import { checkSchema } from '@casewatch/service-definition/schema-check';
import { personalDataRoute } from '@casewatch/service-kit/http/personal-data-route';
import { settings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { personalData } from './data/personal-data.ts';
import { createSchedule } from './data/schedule.ts';
import { createWatchLevels } from './data/watch-levels.ts';
import { createWatchRows } from './data/watch-rows.ts';
import { watcherRows as watchers } from './data/watcher-rows.ts';
import { onCaseObserved } from './events/on-case-observed.ts';
import { onUserDeleted } from './events/on-user-deleted.ts';
import { onCaseWatchChanged, onCaseWatchesListed } from './events/on-watches-requested.ts';
import { createRoutes } from './http/routes.ts';
import { createCheckDueWatchesJob } from './jobs/check-due-watches-job.ts';
import { migrations } from './migrations.ts';
import { countChecks, measureWatches } from './monitoring-metrics.ts';

/** Decides when and which cases are checked, and publishes changes to their watchers. */
export const service = defineService({
  name: 'monitoring',
  settings,
  migrations,
  personalData,
  init: async ({ settings, logger, clock, databaseUrl, bus, services, telemetry }) => {
    const schedule = createSchedule(settings.MONITORING_PERIOD_SCALE);
    const { claims, reader, pool, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.MONITORING_DATABASE_CONNECTIONS,
      logger,
      schedule,
      clock,
    });
    measureWatches(telemetry.meter, createWatchLevels(pool, clock));
    const watching = { watches: createWatchRows(schedule, clock), watchers, bus, clock };
    return {
      routes: [
        ...createRoutes(reader),
        personalDataRoute(downloadMyMonitoringData, { pool, data: personalData, logger }),
      ],
      consumers: [
        onCaseWatchChanged(watching),
        onCaseObserved(watching),
        onCaseWatchesListed(watching),
        onUserDeleted(watching),
      ],
      pools: [pool],
      jobs: [
        createCheckDueWatchesJob({
          store: claims,
          services,
          clock,
          logger,
          tracing: telemetry.tracing,
          count: countChecks(telemetry.meter),
          leaseMs: settings.MONITORING_LEASE_SECONDS * 1_000,
          batch: settings.MONITORING_BATCH,
          batchesAtOnce: settings.MONITORING_BATCHES_AT_ONCE,
          pollMs: settings.MONITORING_POLL_MS,
        }),
      ],
      ready: () => checkSchema(pool, migrations),
      stop: close,
    };
  },
});
