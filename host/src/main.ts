import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@casewatch/platform/db/embedded-postgres';
import { migrate } from '@casewatch/platform/db/migrate';
import { serviceUrl } from '@casewatch/platform/db/service-url';
import { systemClock } from '@casewatch/platform/runtime/clock';
import { createLifecycle } from '@casewatch/platform/runtime/lifecycle';
import { createLogger } from '@casewatch/platform/runtime/logger';
import { reportTelemetryFaults, startTelemetry } from '@casewatch/platform/telemetry/start-telemetry';
import { destination } from 'pino';
import { readHostSettings } from './all-settings.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { explainStartFailure } from './explain.ts';
import { startProduct } from './product.ts';
import { requireFreePort } from './require-free-port.ts';
import { type SimulatedPayments, simulatePayments } from './simulate-payments.ts';
import { type Simulators, startSimulators } from './simulators.ts';
import { adminPasscode, howToTryOut } from './trying-out.ts';

const LOG_ROTATE_BYTES = 10 * 1024 * 1024;
const LOG_BLOCK_BYTES = 8 * 1024;
const LOG_FLUSH_MS = 1_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

await main();

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  try {
    await start();
  } catch (error) {
    const explained = explainStartFailure(error, Number(process.env.PORT ?? 8080));
    if (explained === undefined) console.error(error);
    else console.error(`\nCasewatch could not start.\n${explained}`);
    process.exit(1);
  }
}

async function start(): Promise<void> {
  const startedAtMs = performance.now();
  const { settings, roles } = readHostSettings(process.env);
  const folder = roles.allInOne ? openDataFolder(settings.DATA_DIR) : undefined;
  const telemetry = await startTelemetry({
    process: `casewatch-${settings.SERVICES.replaceAll(',', '-')}`,
    otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    tracesRatio: settings.OTEL_TRACES_SAMPLER_ARG,
  });
  const { tracing } = telemetry;
  const logger = createLogger({
    level: settings.LOG_LEVEL,
    name: settings.SERVICES,
    ...logDestination(settings.LOG_FILE, folder),
    mixin: tracing.on ? () => tracing.ids() ?? {} : undefined,
  });
  reportTelemetryFaults(logger);
  const lifecycle = createLifecycle(logger, (settings.LEAVE_SECONDS + settings.DRAIN_SECONDS + 5) * 1000);
  lifecycle.add({ name: 'telemetry', stop: telemetry.stop });
  stopOnSignals(lifecycle.stop);
  try {
    await requireFreePort(settings.HOST, settings.PORT);
    if (folder) lifecycle.add({ name: 'data folder', stop: async () => folder.release() });
    const simulators =
      roles.allInOne && !process.env.AGENCY_CLIENT_ID ? await startAndKeepSimulators() : undefined;
    const payments =
      folder && !process.env.STRIPE_SECRET_KEY ? await startAndKeepPayments(folder) : undefined;
    const databaseUrlOf = await prepareDatabase();
    if (folder) say('  starting the services …');
    const server = await startProduct({
      settings,
      roles,
      env: { ...process.env, ...simulators?.env, ...payments?.env, ...(folder ? adminPasscode(folder) : {}) },
      databaseUrlOf,
      clock: systemClock,
      logger,
      telemetry,
      lifecycle,
      onFatal: (error) => {
        logger.fatal({ err: error }, 'the process ends, to be started again');
        void lifecycle.stop().finally(() => process.exit(1));
      },
    });
    payments?.productIsAt(server.url);
    logger.info({ url: server.url, roles: settings.SERVICES }, 'ready');
    if (folder) welcome(server.url, folder, { simulators, payments }, startedAtMs);
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }

  async function startAndKeepSimulators() {
    const started = await startSimulators(process.env, settings.AGENCY_SIMULATOR_PORT);
    for (const part of started.parts) lifecycle.add(part);
    return started;
  }

  async function startAndKeepPayments({ path: dataDir }: DataFolder) {
    const started = await simulatePayments({
      port: settings.PAYMENTS_SIMULATOR_PORT,
      stateFile: path.join(dataDir, 'payments-simulator.json'),
    });
    lifecycle.add(started.part);
    return started;
  }

  /** All-in-one owns its database and migrates it; a single role gets a migrated one. */
  async function prepareDatabase() {
    if (!folder) {
      const url = settings.DATABASE_URL;
      if (!url && roles.services.length > 0)
        throw new Error('DATABASE_URL: is needed when the services run apart');
      return () => url ?? '';
    }
    const ownerUrl = settings.DATABASE_URL ?? (await startDatabase(folder)).ownerUrl;
    await migrate({ ownerUrl, services: roles.services, roleSecret: folder.secrets.roleSecret, logger });
    return (service: Parameters<typeof serviceUrl>[1]) =>
      serviceUrl(ownerUrl, service, folder.secrets.roleSecret);
  }

  async function startDatabase({ path: dataDir, secrets }: DataFolder): Promise<EmbeddedPostgres> {
    say('  starting the database …');
    const database = await startEmbeddedPostgres({
      dataDir: path.join(dataDir, 'postgres'),
      password: secrets.databasePassword,
      onStep: (step) => say(`  ${step} …`),
      onUnexpectedExit: (said) => {
        logger.fatal({ said }, 'the database ended');
        console.error(
          `\nThe database ended unexpectedly; Casewatch stops. Start it again with npm start.\n${said}`,
        );
        void lifecycle.stop().finally(() => process.exit(1));
      },
    });
    lifecycle.add({ name: 'database', stop: database.stop });
    return database;
  }
}

function logDestination(given: string | undefined, folder: DataFolder | undefined) {
  const chosen = given ?? (folder ? path.join(folder.path, 'casewatch.log') : undefined);
  if (!chosen) return {};
  mkdirSync(path.dirname(chosen), { recursive: true });
  if (existsSync(chosen) && statSync(chosen).size > LOG_ROTATE_BYTES) renameSync(chosen, `${chosen}.1`);
  // Written in blocks: a write per request costs more than all else the log does. A crash may cost a second of lines.
  const file = destination({ dest: chosen, sync: true, minLength: LOG_BLOCK_BYTES });
  setInterval(() => file.flushSync(), LOG_FLUSH_MS).unref();
  process.on('exit', () => file.flushSync());
  return { destination: file };
}

/** The first signal stops in order; a second one ends at once. */
function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(130);
      stopping = true;
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

function welcome(
  url: string,
  folder: DataFolder,
  { simulators, payments }: { simulators: Simulators | undefined; payments: SimulatedPayments | undefined },
  startedAtMs: number,
): void {
  const shown = url.replace('127.0.0.1', 'localhost');
  say(`\nCasewatch is ready at ${shown} (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
  const urls = { agencyUrl: simulators?.agencyUrl, paymentsUrl: payments?.url };
  say(`\n${howToTryOut({ url: shown, folder, ...urls }).join('\n')}`);
  say(`\n  Data and log: ${path.relative(process.cwd(), folder.path) || folder.path}. Stop with Ctrl-C.\n`);
}
