import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { type Role, startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { readHostSettings } from '@casewatch/host/all-settings';
import { openDataFolder } from '@casewatch/host/data-folder';
import {
  accountMails,
  howToTryOut,
  ownAddress,
  ownPushKeys,
  ownSecrets,
  supportForEvaluation,
  whatIsOff,
} from '@casewatch/host/evaluation';
import { openSchemas } from '@casewatch/host/events-command/open-schemas';
import { publishAgain } from '@casewatch/host/events-command/publish-again';
import { explainStartFailure } from '@casewatch/host/explain';
import { registry } from '@casewatch/host/registry';
import { requireFreePort } from '@casewatch/host/require-free-port';
import { chooseSimulation } from '@casewatch/host/simulation';
import { startSimulation } from '@casewatch/host/start-simulation';
import { stopOnSignals } from '@casewatch/host/stop-on-signals';
import { migrate } from '@casewatch/service-definition/migrate';
import { createLifecycle } from '@casewatch/service-kit/runtime/lifecycle';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { findBackingParts } from './backing-parts.ts';
import { keepAlive } from './keep-alive.ts';

/**
 * `npm run start:distributed`: every service and the gateway as a process of its own, against the Kafka, Redis and
 * PostgreSQL of the settings, or ones of our own. What ends by itself is started again; what we started ends with us,
 * however we end.
 */
const STOP_PART_WITHIN_MS = 40_000;
/** Loopback only: what other programs of this machine or network may reach is the gateway. */
const HOST_OF_SERVICES = '127.0.0.1';
const say = (line: string) => process.stdout.write(`${line}\n`);

const startedAtMs = performance.now();
const logger = createLogger({ level: 'warn', name: 'distributed' });
const lifecycle = createLifecycle(logger, STOP_PART_WITHIN_MS);
let stopping = false;
if (existsSync('.env')) process.loadEnvFile('.env');
stopWhenAsked();
try {
  await start();
} catch (error) {
  // What a stop takes from the start in progress makes that fail.
  if (stopping) await new Promise(() => undefined);
  const explained = explainStartFailure(error, Number(process.env.PORT ?? 8080));
  console.error(
    `\nCasewatch could not start.\n${explained ?? (error instanceof Error ? error.message : error)}`,
  );
  await stop();
  process.exit(1);
}

async function start(): Promise<void> {
  // What all roles together need is what one process with all of them needs.
  const { settings } = await readHostSettings({ ...process.env, SERVICES: 'all' });
  const simulation = chooseSimulation(settings, process.env);
  await requireFreePort(settings.HOST, settings.PORT);
  const port = settings.PORT || (await freePort());
  const folder = openDataFolder(path.join(settings.DATA_DIR, 'distributed'));
  lifecycle.add({ name: 'data folder', stop: async () => folder.release() });
  const logs = path.join(folder.path, 'logs');
  mkdirSync(logs, { recursive: true });

  const parts = await findBackingParts({ settings, folder, lifecycle, say, fail });
  const simulated = await startSimulation(simulation, {
    settings,
    env: process.env,
    folder: folder.path,
    lifecycle,
  });

  const { ownerUrl } = parts;
  const { roleSecret } = folder.secrets;
  const { ADMIN_PASSCODE, MAIL_SECRET, INTERNAL_SECRET } = ownSecrets(folder);
  await migrate({ ownerUrl, services: registry, roleSecret, logger });
  // Before anything new is sent, so that the order of a key holds.
  if (parts.kafkaIsNew) {
    const { schemas, close } = await openSchemas({ DATABASE_URL: ownerUrl }, registry);
    await publishAgain(schemas, () => undefined).finally(close);
  }

  say(`  starting ${registry.length} services and the gateway …`);
  const given = { ...givenSettings(), ...simulated.env };
  const env = { ...accountMails(given), ...given, ...supportForEvaluation(process.env, simulation) };
  const roles: readonly Role[] = [...registry.map(({ name }) => name), 'gateway'];
  const product = await startProductProcesses({
    services: registry,
    ownerUrl,
    roleSecret,
    brokers: parts.brokers,
    redisUrl: parts.redisUrl,
    agency: false,
    port,
    env: {
      KAFKA_TOPIC_PREFIX: settings.KAFKA_TOPIC_PREFIX,
      KAFKA_PARTITIONS: String(settings.KAFKA_PARTITIONS),
      ...ownAddress({ PORT: String(port) }),
      ...env,
      INTERNAL_SECRET,
      HOST: HOST_OF_SERVICES,
    },
    roles: Object.fromEntries(
      roles.map((role) => [
        role,
        {
          env: {
            LOG_FILE: path.join(logs, `${role}.log`),
            ...(role === 'gateway' ? { HOST: settings.HOST } : {}),
            ...(role === 'identity' ? { ADMIN_PASSCODE } : {}),
            ...(role === 'notifications' ? { MAIL_SECRET, ...ownPushKeys(folder, process.env) } : {}),
          },
        },
      ]),
    ),
    onUnexpectedExit: keepAlive({ say, stopping: () => stopping }),
  });
  lifecycle.add({ name: 'services', stop: product.stop });
  const url = `http://localhost:${port}`;
  simulated.productIsAt(`http://127.0.0.1:${port}`);
  const how = [...howToTryOut({ url, folder, simulation, ...simulated }), ...whatIsOff(env)];
  welcome(url, logs, parts.started, how);
}

/** Settings of ours that the roles should have too; each role's own database account is made here. */
function givenSettings(): Record<string, string> {
  const { DATABASE_URL: _owner, DATABASE_DIRECT_URL: _direct, LOG_FILE: _one, ...rest } = process.env;
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function welcome(url: string, logs: string, started: readonly string[], how: readonly string[]): void {
  say(`\nCasewatch is ready at ${url} (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
  say('\n  Each service is a process of its own.');
  if (started.length > 0) say(`  Started for this run: ${started.join(', ')}.`);
  say(`\n${how.join('\n')}`);
  say(`\n  Logs: ${path.relative(process.cwd(), logs) || logs}. Stop with Ctrl-C.\n`);
}

function fail(what: string): void {
  console.error(`\n${what} Casewatch stops.`);
  void stop().finally(() => process.exit(1));
}

function stop(): Promise<void> {
  stopping = true;
  return lifecycle.stop();
}

/** A signal, or the end of the parent process, stops in order. */
function stopWhenAsked(): void {
  // A terminal that has closed takes no more output.
  process.stdout.on('error', () => undefined);
  stopOnSignals(() => {
    say('\n  Stopping the services …');
    return stop();
  });
}
