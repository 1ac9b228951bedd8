import { adminActed } from '@casewatch/contracts/events';
import { downloadMyAdminLogData } from '@casewatch/contracts/my-data';
import { defineService } from '@casewatch/service-definition/define-service';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inSnapshot, inTransaction } from '@casewatch/service-kit/database/transaction';
import { settings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { personalData } from './data/personal-data.ts';
import { callRecorder as recorder } from './data/record-calls.ts';
import { consumes } from './events/consumes.ts';
import { toAuditExported, toLogsExported } from './events/publishes.ts';
import { createRoutes } from './http/routes.ts';
import { createMaintainLogJob } from './jobs/maintain-log-job.ts';
import { createVerifyAuditJob } from './jobs/verify-audit-job.ts';
import { createVerifier } from './verify-audit.ts';

/** The log of lookups, and the audit trail of administrators' actions. */
export const service = defineService({
  name: 'admin-log',
  settings,
  personalData,
  download: downloadMyAdminLogData,
  init: async ({ settings, logger, clock, databaseUrl, bus, services, telemetry }) => {
    const { pool, calls, counts, audit, views, maintenance, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.ADMIN_LOG_DATABASE_CONNECTIONS,
      logger,
    });
    const retention = { payloadDays: settings.LOG_PAYLOAD_DAYS, rowMonths: settings.LOG_ROW_MONTHS };
    const verify = createVerifier();
    return {
      routes: [
        ...createRoutes({
          calls,
          counts,
          audit,
          views,
          retention,
          callsPerDay: settings.AGENCY_CALLS_PER_DAY,
          services,
          clock,
          databaseNowMs: () => databaseTimeMs(poolExecutor(pool), clock),
          logger,
          recordExport: (filter, format, actor) =>
            inTransaction(pool, (tx) => bus.publish(tx, adminActed, toLogsExported(filter, format, actor))),
          recordAuditExport: (filters, actor) =>
            inTransaction(pool, (tx) => bus.publish(tx, adminActed, toAuditExported(filters, actor))),
        }),
      ],
      consumers: consumes({ recorder, audit, views, retention, clock }),
      pool,
      jobs: [
        createMaintainLogJob({ maintenance, retention, clock, logger }),
        createVerifyAuditJob({
          // Retention may remove entries meanwhile, which a single snapshot does not see.
          verify: (say, stopping) =>
            inSnapshot(pool, ({ query }) =>
              verify(
                {
                  // A long trail does not hold up a stop: between two batches it ends.
                  query: (text, values) => {
                    stopping.throwIfAborted();
                    return query(text, values);
                  },
                },
                say,
              ),
            ),
          meter: telemetry.meter,
          clock,
          logger,
        }),
      ],
      stop: close,
    };
  },
});
