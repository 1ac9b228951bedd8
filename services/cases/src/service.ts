import { downloadMyCasesData } from '@casewatch/contracts/my-data';
import { defineService } from '@casewatch/service-definition/define-service';
import { checkSchema } from '@casewatch/service-definition/schema-check';
import { personalDataRoute } from '@casewatch/service-kit/http/personal-data-route';
import { SettingsError, type SettingsOf } from '@casewatch/service-kit/settings/settings';
import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import { createAgencyClient } from './agency/agency-client.ts';
import { createBudget } from './agency/budget.ts';
import { createBudgetMetrics } from './agency/budget-metrics.ts';
import { createDayQuota, dayOf } from './agency/day-quota.ts';
import { type CasesSettings, settings } from './config.ts';
import { callsOfDay } from './data/calls-of-day.ts';
import { openDatabase } from './data/open-database.ts';
import { personalData } from './data/personal-data.ts';
import { createAskAgency } from './domain/ask-agency.ts';
import { createAskingTurns } from './domain/asking-turns.ts';
import { createCheckCases } from './domain/check-cases.ts';
import { createKnownCases } from './domain/known-cases.ts';
import { createLookUpCase } from './domain/look-up-case.ts';
import { createLookupLog } from './domain/lookup-log.ts';
import { onUserChanged } from './events/on-user-changed.ts';
import { onUserDeleted } from './events/on-user-deleted.ts';
import { createRoutes } from './http/routes.ts';
import { createPurgeRemovedCasesJob } from './jobs/purge-removed-cases.ts';
import { migrations } from './migrations.ts';

/**
 * A second, and one millisecond for times that are cut to whole milliseconds, here and at the agency: calls this far
 * apart by our clock are a whole second apart by any.
 */
const WINDOW_MS = 1_001;

/** A call still without an answer is taken to have arrived by now; else a hanging agency would hold the budget up. */
const LONGEST_IN_FLIGHT_MS = 2_000;

/**
 * A scheduled check that gets no call so soon is retried later: its caller wants an answer in 4 s. More than two windows of a
 * second, so that checks do not expire right before the permits of the next window are free.
 */
const CHECK_WAITS_MS = 2_500;

/** An answer that a user awaits in another process is stored by then. */
const STORED_WITHIN_MS = 1_000;

/** Case look-ups at the agency, their history, and the cases that users saved. */
export const service = defineService({
  name: 'cases',
  settings,
  migrations,
  personalData,
  init: async ({ settings, logger, clock, databaseUrl, cache, callQueues, bus, telemetry }) => {
    requireCredentials(settings);
    const { pool, caseStore, caseExports, savedCases, quotaLedger, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.CASES_DATABASE_CONNECTIONS,
      logger,
      bus,
      linkHosts: settings.AGENCY_LINK_HOSTS,
    });
    const weights = { free: settings.AGENCY_WEIGHT_FREE, pro: settings.AGENCY_WEIGHT_PRO };
    const quota = createDayQuota({
      clock,
      callsPerDay: settings.AGENCY_CALLS_PER_DAY,
      monitoringShare: settings.AGENCY_MONITORING_SHARE,
      weights,
      ledger: quotaLedger,
    });
    const queue = callQueues({
      name: 'agency',
      calls: settings.AGENCY_CALLS_PER_SECOND,
      windowMs: WINDOW_MS,
      leaseMs: LONGEST_IN_FLIGHT_MS,
      scheduledShare: settings.AGENCY_MONITORING_SHARE,
    });
    const metrics = createBudgetMetrics(telemetry.meter, queue);
    const waitMs = {
      user: settings.BUDGET_WAIT_MS,
      monitor: Math.min(settings.BUDGET_WAIT_MS, CHECK_WAITS_MS),
    };
    const agency = createAgencyClient({
      baseUrl: settings.AGENCY_BASE_URL,
      clientId: settings.AGENCY_CLIENT_ID,
      clientSecret: settings.AGENCY_CLIENT_SECRET,
      timeoutMs: settings.AGENCY_TIMEOUT_MS,
      restMs: settings.AGENCY_REST_MS,
      waitMs,
      linkHosts: settings.AGENCY_LINK_HOSTS,
      clock,
      telemetry,
      budget: createBudget({ clock, queue, quota, weights, metrics }),
    });
    readGauges(
      telemetry.meter,
      {
        casewatch_agency_budget_day_used: 'Calls of today (GMT) that are made or reserved.',
        casewatch_agency_budget_day_limit: 'Calls that the agency allows a day.',
        casewatch_agency_breaker_open: '1 while the agency is left alone because it failed again and again.',
      },
      async () => ({
        casewatch_agency_budget_day_used: await callsOfDay(pool, dayOf(clock.nowMs())),
        casewatch_agency_budget_day_limit: settings.AGENCY_CALLS_PER_DAY,
        casewatch_agency_breaker_open: agency.isResting() ? 1 : 0,
      }),
    );
    const known = createKnownCases(caseStore);
    const askAgency = createAskAgency({ agency, cases: caseStore, known, clock, logger });
    const lookupLog = createLookupLog({
      write: caseStore.recordLookups,
      clock,
      logger,
      storedShare: settings.LOOKUP_LOG_STORED_SHARE,
    });
    const checkCases = createCheckCases({
      askAgency,
      cases: caseStore,
      log: lookupLog,
      clock,
      logger,
      waitMs: waitMs.monitor,
    });
    const lookUpCase = createLookUpCase({
      askAgency,
      known,
      log: lookupLog,
      turns: createAskingTurns({
        cache,
        clock,
        longestMs: settings.AGENCY_TIMEOUT_MS + settings.BUDGET_WAIT_MS + STORED_WITHIN_MS,
      }),
      clock,
      freshnessMs: settings.FRESHNESS_SECONDS * 1_000,
      notRecognisedMs: settings.NOT_RECOGNISED_SECONDS * 1_000,
    });
    return {
      routes: [
        ...createRoutes({
          lookUpCase,
          checkCases,
          savedCases,
          caseExports,
          clock,
          logger,
          tracing: telemetry.tracing,
        }),
        personalDataRoute(downloadMyCasesData, { pool, data: personalData, logger }),
      ],
      consumers: [onUserChanged(bus), onUserDeleted(clock)],
      pools: [pool],
      jobs: [createPurgeRemovedCasesJob({ savedCases, clock, logger })],
      ready: () => checkSchema(pool, migrations),
      stop: async () => {
        try {
          await agency.stop();
          await checkCases.settled();
          await lookupLog.stop();
        } finally {
          await close();
        }
      },
    };
  },
});

/** Checked here and not in the settings: all-in-one makes up credentials for its simulator after reading them. */
function requireCredentials(settings: SettingsOf<CasesSettings>): void {
  const missing = (['AGENCY_CLIENT_ID', 'AGENCY_CLIENT_SECRET'] as const).filter((name) => !settings[name]);
  if (missing.length > 0) throw new SettingsError(missing.map((name) => `${name}: must be set`));
}
