import path from 'node:path';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { freePort } from '@casewatch/dev-stack/free-port';
import type { EmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { startSupervisedPostgres } from '@casewatch/dev-stack/postgres/supervised-postgres';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import type { Lifecycle } from '@casewatch/service-kit/runtime/lifecycle';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { hostSettings } from './config.ts';
import type { DataFolder } from './data-folder.ts';
import {
  accountMails,
  howToTryOut,
  ownAddress,
  ownPushKeys,
  ownSecrets,
  supportForEvaluation,
  whatIsOff,
} from './evaluation.ts';
import { registry } from './registry.ts';
import { chooseSimulation } from './simulation.ts';
import { startSimulation } from './start-simulation.ts';

export interface AllInOneOptions {
  settings: SettingsOf<typeof hostSettings>;
  env: NodeJS.ProcessEnv;
  folder: DataFolder;
  logger: Logger;
  /** What is started is added to it. */
  lifecycle: Lifecycle;
  say(line: string): void;
}

/** Starts the simulators of this start, and a migrated database. */
export async function startAllInOne(options: AllInOneOptions) {
  const { settings, env, folder, logger, lifecycle, say } = options;
  const simulation = chooseSimulation(settings, env);
  const simulated = await startSimulation(simulation, { settings, env, folder: folder.path, lifecycle });
  const ownerUrl = settings.DATABASE_URL ?? (await startDatabase()).ownerUrl;
  const directUrl = (settings.DATABASE_URL && settings.DATABASE_DIRECT_URL) || ownerUrl;
  const { roleSecret } = folder.secrets;
  // A free port where any will do: links are written before the product listens.
  const port = settings.PORT || (await freePort());
  const given = { ...env, ...simulated.env };
  const productEnv = {
    ...accountMails(given),
    ...given,
    ...ownSecrets(folder),
    ...ownPushKeys(folder, env),
    ...supportForEvaluation(env, simulation),
    ...ownAddress({ ...env, PORT: String(port) }),
  };
  await migrate({ ownerUrl: directUrl, services: registry, roleSecret, logger });
  say('  starting the services …');
  return {
    /** The environment with what leads the services to what runs here. */
    env: productEnv,
    port,
    databaseUrlOf: (service: ServiceName) => serviceUrl(ownerUrl, service, roleSecret),
    directUrlOf: (service: ServiceName) => serviceUrl(directUrl, service, roleSecret),
    /** Reports the address of the product to the payments simulator and in the terminal. */
    productIsAt: (url: string, seconds: number) => {
      simulated.productIsAt(url);
      const shown = url.replace('127.0.0.1', 'localhost');
      say(`\nCasewatch is ready at ${shown} (${seconds.toFixed(1)} s)`);
      say(
        `\n${[...howToTryOut({ url: shown, folder, simulation, ...simulated }), ...whatIsOff(productEnv)].join('\n')}`,
      );
      const place = path.relative(process.cwd(), folder.path) || folder.path;
      say(`\n  Data and log: ${place}. Stop with Ctrl-C.\n`);
    },
  };

  async function startDatabase(): Promise<EmbeddedPostgres> {
    say('  starting the database …');
    const starting = startSupervisedPostgres({
      dataDir: path.join(folder.path, 'postgres'),
      password: folder.secrets.databasePassword,
      clock: systemClock,
      logger,
      onStep: (step) => say(`  ${step} …`),
      onAbandoned: (error) => {
        logger.fatal({ err: error }, 'embedded database: restarts failed, the process exits');
        console.error(
          `\n${error.message}\nCasewatch stops. Look at the disk and memory, then run npm start again.`,
        );
        void lifecycle.stop().finally(() => process.exit(1));
      },
    });
    // Before it runs: a stop may come during the start.
    lifecycle.add({ name: 'database', stop: async () => (await starting.catch(() => undefined))?.stop() });
    return starting;
  }
}
