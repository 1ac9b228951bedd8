import { createBudgetMetrics } from '@casewatch/cases/agency/agency-metrics';
import { createAgencyBreaker } from '@casewatch/cases/caller/breaker';
import type { CallerDeps } from '@casewatch/cases/caller/caller-deps';
import { startCaller } from '@casewatch/cases/caller/start-caller';
import { openDatabase } from '@casewatch/cases/data/open-database';
import { type AskAgency, createAskAgency } from '@casewatch/cases/domain/ask-agency';
import { createQueueEstimate } from '@casewatch/cases/domain/queue-estimate';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';

export const CALLS_PER_SECOND = 20;
const ANSWER_MS = 5;
const TIMEOUT_MS = 8_000;
const weights = { free: 1, pro: 4 };
const monitoringShare = 0.5;

export interface Replica extends AskAgency {
  stop(): Promise<void>;
}

/**
 * Opens what a process of cases has between a lookup and the agency, without the agency: a call is an answer after 5 ms.
 * `called` receives each call.
 */
export function openReplica(databaseUrl: string, name: string, called: () => void): Replica {
  const logger = createLogger({ level: 'error', name: 'bench' });
  const clock = systemClock;
  const bus = createOutboxPublisher({ clock });
  const database = openDatabase({ url: databaseUrl, maximum: 10, logger, bus, linkHosts: [], clock });
  const { agencyQueue: queue } = database;
  const metrics = createBudgetMetrics(noTelemetry.meter);
  const [joined, ended] = [createSignal(), createSignal()];
  const calls: CallerDeps['calls'] = {
    token: async () => ({ token: 'none' }),
    async call({ onHead }) {
      called();
      await clock.sleep(ANSWER_MS);
      onHead();
      return { result: { kind: 'not-recognised' }, record: NO_RECORD, isTokenRefused: false };
    },
    stop: async () => undefined,
  };
  const caller = startCaller({
    directDatabaseUrl: databaseUrl,
    schema: 'cases',
    ...{ name, queue, calls, metrics, joined, ended, clock, logger, weights, tracing: noTracing },
    cases: database.caseStore,
    breaker: createAgencyBreaker(15_000, clock),
    rule: { calls: CALLS_PER_SECOND, windowMs: 1_001, leaseMs: 2_000, scheduledShare: monitoringShare },
    fresh: { freshMs: 0, notRecognisedMs: 0 },
    timeoutMs: TIMEOUT_MS,
    // The day is not what this measures: it has calls for all.
    day: { callsPerDay: 1e9, monitoringShare, weights, ledger: database.quotaLedger },
  });
  const asking = createAskAgency({
    ...{ queue, joined, ended, metrics },
    estimate: createQueueEstimate(queue, clock, {
      callsPerSecond: CALLS_PER_SECOND,
      monitoringShare,
      weights,
    }),
    leastWaitMs: 1_000,
    answerMs: TIMEOUT_MS,
  });
  return {
    ...asking,
    async stop() {
      await caller.stop();
      await database.close();
    },
  };
}

const NO_RECORD = { statusCode: 404, code: 'not-recognized', response: '', durationMs: ANSWER_MS } as const;
