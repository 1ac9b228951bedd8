import { startAgencySimulator } from '@casewatch/agency-simulator/agency-simulator';
import { freePort } from '@casewatch/dev-stack/free-port';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLifecycle } from '@casewatch/service-kit/runtime/lifecycle';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { startTelemetry } from '@casewatch/service-kit/telemetry/start-telemetry';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { readHostSettings } from '../../src/all-settings.ts';
import { startProduct } from '../../src/product.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

const CLIENT = { clientId: 'test-client', clientSecret: 'test-secret' };

/** The whole product in this process, with all of its telemetry captured: logs, metrics and traces. */
export async function startWatchedAllInOne(more: Record<string, string> = {}) {
  const database = await createTestDatabase();
  const collector = await startOtlpReceiver();
  const agency = await startAgencySimulator({
    ...CLIENT,
    port: 0,
    control: true,
    clock: systemClock,
    callsPerSecond: 100,
  });
  const env = {
    PORT: '0',
    METRICS_PORT: String(await freePort()),
    AGENCY_BASE_URL: agency.url,
    AGENCY_CLIENT_ID: CLIENT.clientId,
    AGENCY_CLIENT_SECRET: CLIENT.clientSecret,
    AGENCY_CALLS_PER_SECOND: '100',
    AGENCY_CALLS_PER_DAY: '100000',
    DEMO_ACCOUNTS: 'true',
    FRESHNESS_SECONDS: '0',
    ...more,
  };
  const { settings, roles } = await readHostSettings(env);
  const telemetry = await startTelemetry({
    process: 'casewatch-all',
    otlpEndpoint: collector.url,
    tracesRatio: 1,
    exportEveryMs: 50,
  });
  const logs: string[] = [];
  const logger = createLogger({
    level: 'debug',
    name: 'all',
    destination: { write: (line: string) => logs.push(line) },
    mixin: () => telemetry.tracing.ids() ?? {},
  });
  const lifecycle = createLifecycle(logger);
  const server = await startProduct({
    settings,
    roles,
    env,
    databaseUrlOf: database.urlFor,
    clock: systemClock,
    logger,
    telemetry,
    lifecycle,
    onFatal: (error) => {
      throw error;
    },
  });

  return {
    url: server.url,
    agencyUrl: agency.url,
    collector,
    logs,
    metrics: async () => (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).text(),
    /** Sends the spans that are left, too. */
    async stop() {
      await lifecycle.stop();
      await telemetry.stop();
      await Promise.all([collector.stop(), agency.stop()]);
      await database.drop();
    },
  };
}
export type WatchedAllInOne = Awaited<ReturnType<typeof startWatchedAllInOne>>;
