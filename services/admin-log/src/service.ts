import { adminActed } from '@casewatch/contracts/events';
import { defineService } from '@casewatch/service-definition/define-service';
import { inTransaction } from '@casewatch/service-kit/database/consumer-transaction';
import { checkSchema } from '@casewatch/service-kit/database/schema-check';
import { settings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { onAdminActed } from './events/on-admin-acted.ts';
import { onAgencyCalled } from './events/on-agency-called.ts';
import { onUserDeleted } from './events/on-user-deleted.ts';
import { toLogsExported } from './events/publishes.ts';
import { createRoutes } from './http/routes.ts';
import { createKeepLogJob } from './jobs/keep-log-job.ts';
import { migrations } from './migrations.ts';

/** What administrators look at: the calls of the agency, and what administrators did themselves. */
export const service = defineService({
  name: 'admin-log',
  settings,
  migrations,
  init: async ({ settings, logger, clock, databaseUrl, bus }) => {
    const { pool, calls, counts, audit, upkeep, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.ADMIN_LOG_DATABASE_CONNECTIONS,
      logger,
    });
    const keeping = { payloadDays: settings.LOG_PAYLOAD_DAYS, rowMonths: settings.LOG_ROW_MONTHS };
    return {
      routes: createRoutes({
        calls,
        counts,
        audit,
        keeping,
        callsPerDay: settings.AGENCY_CALLS_PER_DAY,
        clock,
        logger,
        noteExport: (filter, format, who) =>
          inTransaction(pool, (tx) => bus.publish(tx, adminActed, toLogsExported(filter, format, who))),
      }),
      consumers: [onAgencyCalled({ clock, keeping }), onAdminActed(), onUserDeleted({ clock })],
      pools: [pool],
      jobs: [createKeepLogJob({ upkeep, keeping, clock, logger })],
      ready: () => checkSchema(pool, migrations),
      stop: close,
    };
  },
});
