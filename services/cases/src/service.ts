import { SettingsError, type SettingsOf } from '@casewatch/platform/config/settings';
import { checkSchema } from '@casewatch/platform/db/schema-check';
import { defineService } from '@casewatch/platform/runtime/service-definition';
import { createAgencyClient } from './agency/agency-client.ts';
import { createDayQuota } from './agency/day-quota.ts';
import { createMemoryBudget } from './agency/memory-budget.ts';
import { type CasesSettings, settings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { createLookUpCase } from './domain/look-up-case.ts';
import { onUserChanged } from './events/on-user-changed.ts';
import { onUserDeleted } from './events/on-user-deleted.ts';
import { createRoutes } from './http/routes.ts';

const migrations = new URL('../migrations/', import.meta.url);

/** Case look-ups at the agency, their history, and the cases that users saved. */
export const service = defineService({
  name: 'cases',
  settings,
  migrations,
  init: async ({ settings, logger, clock, databaseUrl, bus }) => {
    requireCredentials(settings);
    const { pool, caseStore, savedCases, quotaLedger, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.CASES_DATABASE_CONNECTIONS,
      logger,
      bus,
    });
    const quota = createDayQuota({
      clock,
      callsPerDay: settings.AGENCY_CALLS_PER_DAY,
      ledger: quotaLedger,
    });
    const agency = createAgencyClient({
      baseUrl: settings.AGENCY_BASE_URL,
      clientId: settings.AGENCY_CLIENT_ID,
      clientSecret: settings.AGENCY_CLIENT_SECRET,
      timeoutMs: settings.AGENCY_TIMEOUT_MS,
      restMs: settings.AGENCY_REST_MS,
      clock,
      budget: createMemoryBudget({
        clock,
        callsPerSecond: settings.AGENCY_CALLS_PER_SECOND,
        waitMs: settings.BUDGET_WAIT_MS,
        quota,
      }),
    });
    const lookUpCase = createLookUpCase({
      agency,
      store: caseStore,
      clock,
      logger,
      freshnessMs: settings.FRESHNESS_SECONDS * 1_000,
      notRecognisedMs: settings.NOT_RECOGNISED_SECONDS * 1_000,
    });
    return {
      routes: createRoutes({ lookUpCase, savedCases, clock, logger }),
      consumers: [onUserChanged(bus), onUserDeleted(clock)],
      jobs: [],
      ready: () => checkSchema(pool, migrations),
      stop: async () => {
        try {
          await agency.stop();
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
