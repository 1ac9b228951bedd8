import { hostname } from 'node:os';
import { adminActed } from '@casewatch/contracts/events';
import { downloadMyCasesData } from '@casewatch/contracts/my-data';
import { defineService, type ServiceDeps } from '@casewatch/service-definition/define-service';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { createRemovalJob } from '@casewatch/service-kit/runtime/removal-job';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import { createBudgetMetrics } from './agency/agency-metrics.ts';
import { createAgencyCalls } from './caller/agency-calls.ts';
import { readAgencyKeys } from './caller/agency-keys.ts';
import { createAgencyBreaker } from './caller/breaker.ts';
import type { AgencyKey } from './caller/key-tokens.ts';
import { measureCaller } from './caller/measure-caller.ts';
import { startCaller } from './caller/start-caller.ts';
import { type CasesSettings, settings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { personalData } from './data/personal-data.ts';
import { publishNextList } from './data/publish-watch-lists.ts';
import { readQueueNow } from './data/read-queue-now.ts';
import { createAskAgency } from './domain/ask-agency.ts';
import { createCheckCases } from './domain/check-cases.ts';
import { createDemonstrate } from './domain/demonstrate.ts';
import { createReadKnown } from './domain/known-cases.ts';
import { createLookUpCase } from './domain/look-up-case.ts';
import { createLookupLog, onceLogged } from './domain/lookup-log.ts';
import { createQueueEstimate } from './domain/queue-estimate.ts';
import { consumes } from './events/consumes.ts';
import { toDemonstrated } from './events/publishes.ts';
import { createRoutes } from './http/routes.ts';
import { createPublishWatchListsJob } from './jobs/publish-watch-lists-job.ts';

/**
 * A second, and one millisecond for times that are cut to whole milliseconds, here and at the agency: calls this far
 * apart by our clock are a whole second apart by any.
 */
const WINDOW_MS = 1_001;

/** A call still without an answer has arrived by now: a second after its permit it is on the wire or is not sent. */
const MAX_IN_FLIGHT_MS = 2_000;

/**
 * A scheduled check that gets no call so soon is retried later: its caller wants an answer in 4 s. More than two windows of a
 * second, so that checks do not expire right before the permits of the next window are free.
 */
const CHECK_WAITS_MS = 2_500;

/** A caller in another process has at least this time to see what waits; too short to wait out the pause after a 429. */
const MIN_WAIT_MS = 900;

/** How long the caller has for storing an answer. */
const STORED_WITHIN_MS = 1_000;

const HOUR_MS = 3_600_000;

/** Demonstrations of an administrator per minute: the checklist twice. */
const DEMONSTRATIONS = 12;

/** Case lookups at the agency, their history, and the cases that users saved. */
export const service = defineService({
  name: 'cases',
  settings,
  personalData,
  download: downloadMyCasesData,
  init: async ({ settings, logger, clock, databaseUrl, directDatabaseUrl, limiters, bus, telemetry }) => {
    const keys = readAgencyKeys(settings, clock.nowMs());
    const database = openDatabase({
      url: databaseUrl,
      maximum: settings.CASES_DATABASE_CONNECTIONS,
      logger,
      bus,
      linkHosts: settings.AGENCY_LINK_HOSTS,
      clock,
    });
    const { pool, users, caseStore, caseExports, savedCases, close } = database;
    const { askAgency, readKnown, caller, calls } = startAgencyLookups(settings, {
      keys,
      database,
      directDatabaseUrl,
      clock,
      logger,
      telemetry,
    });
    const lookupLog = createLookupLog({
      write: caseStore.recordLookups,
      clock,
      logger,
      storedShare: settings.LOOKUP_LOG_STORED_SHARE,
    });
    const checkCases = createCheckCases({
      askAgency,
      log: lookupLog,
      clock,
      logger,
      waitMs: Math.min(settings.BUDGET_WAIT_MS, CHECK_WAITS_MS),
    });
    const lookUpCase = createLookUpCase({
      askAgency,
      readKnown,
      log: lookupLog,
      clock,
      waitMs: settings.BUDGET_WAIT_MS,
    });
    const demonstrations = limiters({ name: 'agency-demonstration', points: DEMONSTRATIONS, perSeconds: 60 });
    const demonstrate = createDemonstrate({
      askAgency,
      readKnown,
      log: lookupLog,
      clock,
      waitMs: settings.BUDGET_WAIT_MS,
      baseUrl: settings.AGENCY_BASE_URL,
      limit: (administrator) => demonstrations.take(administrator),
      audit: (wanted, actor) =>
        inTransaction(pool, (tx) => bus.publish(tx, adminActed, toDemonstrated(wanted, actor))),
    });
    return {
      routes: [
        ...createRoutes({
          lookUpCase: onceLogged(lookupLog, lookUpCase),
          checkCases: { ...checkCases, check: onceLogged(lookupLog, checkCases.check) },
          demonstrate: onceLogged(lookupLog, demonstrate),
          savedCases,
          caseExports,
          readQueueNow: () => readQueueNow(pool, clock, settings.AGENCY_CALLS_PER_DAY),
          clock,
          logger,
          tracing: telemetry.tracing,
        }),
      ],
      consumers: consumes(users, clock),
      pool,
      jobs: [
        createRemovalJob({
          name: 'purge-removed-cases',
          everyMs: HOUR_MS,
          clock,
          logger,
          removals: [savedCases.purgeRemoved],
        }),
        createPublishWatchListsJob({
          publishNext: async () =>
            publishNextList(pool, bus, await databaseTimeMs(poolExecutor(pool), clock)),
          clock,
          logger,
        }),
      ],
      stop: async () => {
        try {
          await caller.stop();
          await checkCases.settled();
          await calls.stop();
          await lookupLog.stop();
        } finally {
          await close();
        }
      },
    };
  },
});

interface AgencyParts extends Pick<ServiceDeps, 'directDatabaseUrl' | 'clock' | 'logger' | 'telemetry'> {
  keys: readonly AgencyKey[];
  database: ReturnType<typeof openDatabase>;
}

/** Starts the caller of this process, and what asks it. */
function startAgencyLookups(
  settings: SettingsOf<CasesSettings>,
  { keys, database, directDatabaseUrl, clock, logger, telemetry }: AgencyParts,
) {
  const { pool, agencyQueue, caseStore, quotaLedger } = database;
  const weights = { free: settings.AGENCY_WEIGHT_FREE, pro: settings.AGENCY_WEIGHT_PRO };
  const monitoringShare = settings.AGENCY_MONITORING_SHARE;
  const fresh = {
    freshMs: settings.FRESHNESS_SECONDS * 1_000,
    notRecognizedMs: settings.NOT_RECOGNIZED_SECONDS * 1_000,
  };
  const metrics = createBudgetMetrics(telemetry.meter);
  const breaker = createAgencyBreaker(settings.AGENCY_REST_MS, clock);
  const calls = createAgencyCalls({
    baseUrl: settings.AGENCY_BASE_URL,
    keys,
    demoId: settings.AGENCY_DEMO_ID,
    headers: settings.AGENCY_HEADERS ?? {},
    timeoutMs: settings.AGENCY_TIMEOUT_MS,
    linkHosts: settings.AGENCY_LINK_HOSTS,
    clock,
    telemetry,
    logger,
  });
  const readKnown = createReadKnown(caseStore, fresh);
  const [joined, ended] = [createSignal(), createSignal()];
  const caller = startCaller({
    directDatabaseUrl,
    schema: schemaOf('cases'),
    // Unique per process on a host, and per pod, where every process has the same id.
    name: `${hostname()}:${process.pid}`,
    queue: agencyQueue,
    cases: caseStore,
    calls,
    breaker,
    metrics,
    joined,
    ended,
    clock,
    logger,
    tracing: telemetry.tracing,
    rule: {
      calls: settings.AGENCY_CALLS_PER_SECOND,
      windowMs: WINDOW_MS,
      leaseMs: MAX_IN_FLIGHT_MS,
      scheduledShare: monitoringShare,
    },
    weights,
    fresh,
    timeoutMs: settings.AGENCY_TIMEOUT_MS,
    day: { callsPerDay: settings.AGENCY_CALLS_PER_DAY, monitoringShare, weights, ledger: quotaLedger },
  });
  measureCaller(telemetry.meter, {
    pool,
    caller,
    breaker,
    calls,
    callsPerDay: settings.AGENCY_CALLS_PER_DAY,
    clock,
  });
  const askAgency = createAskAgency({
    queue: agencyQueue,
    estimate: createQueueEstimate(agencyQueue, clock, {
      callsPerSecond: settings.AGENCY_CALLS_PER_SECOND,
      monitoringShare,
      weights,
    }),
    joined,
    ended,
    metrics,
    leastWaitMs: MIN_WAIT_MS,
    answerMs: settings.AGENCY_TIMEOUT_MS + settings.BUDGET_WAIT_MS + STORED_WITHIN_MS,
  });
  return { askAgency, readKnown, caller, calls };
}
