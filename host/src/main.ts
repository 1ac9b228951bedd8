import { existsSync, statSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLifecycle } from '@casewatch/service-kit/runtime/lifecycle';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import { reportTelemetryErrors, startTelemetry } from '@casewatch/service-kit/telemetry/start-telemetry';
import { type DestinationStream, destination } from 'pino';
import { readHostSettings } from './all-settings.ts';
import type { hostSettings } from './config.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { databaseUrlFor, directUrlFor } from './database-urls.ts';
import { explainStartFailure } from './explain.ts';
import { startProduct } from './product.ts';
import { requireFreePort } from './require-free-port.ts';
import { putLoginsIntoUrls } from './separate-logins.ts';
import { stopOnSignals } from './stop-on-signals.ts';

const MEGABYTE = 1024 * 1024;
const LOG_BLOCK_BYTES = 8 * 1024;
const LOG_FLUSH_MS = 250;
const STANDARD_OUTPUT = 1;
const say = (line: string) => process.stdout.write(`${line}\n`);

type HostSettings = SettingsOf<typeof hostSettings>;

await main();

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  putLoginsIntoUrls(process.env);
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
  const { settings, roles } = await readHostSettings(process.env);
  const folder = roles.allInOne ? openDataFolder(settings.DATA_DIR) : undefined;
  const telemetry = await startTelemetry({
    process: `casewatch-${settings.SERVICES.replaceAll(',', '-')}`,
    otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    tracesRatio: settings.OTEL_TRACES_SAMPLER_ARG,
  });
  const { tracing } = telemetry;
  const log = await openLog(settings, folder);
  const logger = createLogger({
    level: settings.LOG_LEVEL,
    name: settings.SERVICES,
    destination: log,
    mixin: tracing.on ? () => tracing.ids() ?? {} : undefined,
  });
  reportTelemetryErrors(logger);
  const lifecycle = createLifecycle(logger, (settings.LEAVE_SECONDS + settings.DRAIN_SECONDS + 5) * 1000);
  // Stopped last: the others still have something to say.
  lifecycle.add({ name: 'log', stop: log.close });
  lifecycle.add({ name: 'telemetry', stop: telemetry.stop });
  // A terminal that has closed, or a parent process that has ended, takes no more output.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  stopOnSignals(lifecycle.stop);
  try {
    await requireFreePort(settings.HOST, settings.PORT);
    if (folder) lifecycle.add({ name: 'data folder', stop: async () => folder.release() });
    const allInOne = folder && (await startAllInOneParts(folder));
    const database = allInOne ?? migratedDatabase();
    const server = await startProduct({
      settings: { ...settings, PORT: allInOne?.port ?? settings.PORT },
      roles,
      env: allInOne?.env ?? process.env,
      databaseUrlOf: database.databaseUrlOf,
      directUrlOf: database.directUrlOf,
      clock: systemClock,
      logger,
      telemetry,
      lifecycle,
      onFatal: (error) => {
        logger.fatal({ err: error }, 'the process ends, to be started again');
        void lifecycle.stop().finally(() => process.exit(1));
      },
    });
    logger.info({ url: server.url, roles: settings.SERVICES }, 'ready');
    // Where NODE_COMPILE_CACHE is set: now rather than at the end, so that a stop is quick.
    flushCompileCache();
    allInOne?.productIsAt(server.url, (performance.now() - startedAtMs) / 1_000);
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }

  async function startAllInOneParts(dataFolder: DataFolder) {
    // A role that runs apart needs none of it.
    const { startAllInOne } = await import('./all-in-one.ts');
    return startAllInOne({ settings, env: process.env, folder: dataFolder, logger, lifecycle, say });
  }

  /** All-in-one owns its database and migrates it; a single role gets a migrated one. */
  function migratedDatabase() {
    const urlsBy = (urlFor: typeof databaseUrlFor) => {
      const urls = new Map(roles.services.map(({ name }) => [name, urlFor(name, process.env)]));
      return (service: ServiceName) => urls.get(service) ?? '';
    };
    return { databaseUrlOf: urlsBy(databaseUrlFor), directUrlOf: urlsBy(directUrlFor) };
  }
}

/** Opens where log lines go: a rotating file, or standard output or another device as it is. */
async function openLog(
  { LOG_FILE, LOG_FILE_MAX_MB, LOG_FILES_KEPT }: HostSettings,
  folder: DataFolder | undefined,
): Promise<DestinationStream & { close(): Promise<void> }> {
  const file = LOG_FILE ?? (folder ? path.join(folder.path, 'casewatch.log') : undefined);
  if (file && !(existsSync(file) && isDevice(file))) {
    // A role that logs to standard output needs none of it.
    const { openLogFile } = await import('./log-file.ts');
    const log = openLogFile({
      file,
      maxBytes: LOG_FILE_MAX_MB * MEGABYTE,
      kept: LOG_FILES_KEPT,
      onOutage: (error) =>
        console.error(
          `The log file ${file} can't be written (${error.message}); lines are dropped until it can.`,
        ),
    });
    process.on('exit', log.finishSync);
    return log;
  }
  // Written in blocks: a write per line costs more than all else the log does. Only a process that is killed loses any.
  const lines = destination({
    dest: file ?? STANDARD_OUTPUT,
    sync: true,
    minLength: LOG_BLOCK_BYTES,
    periodicFlush: LOG_FLUSH_MS,
  });
  process.on('exit', () => lines.flushSync());
  return Object.assign(lines, { close: async () => lines.flushSync() });
}

function isDevice(file: string): boolean {
  const found = statSync(file);
  return found.isCharacterDevice() || found.isFIFO();
}
