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
import { registry } from './registry.ts';
import { simulatePayments } from './simulate-payments.ts';
import { startSimulators } from './simulators.ts';
import { howToTryOut, ownAddress, ownPushKeys, ownSecrets, supportForTryingOut } from './trying-out.ts';

export interface AllInOneOptions {
  settings: SettingsOf<typeof hostSettings>;
  env: NodeJS.ProcessEnv;
  folder: DataFolder;
  logger: Logger;
  /** What is started is added to it. */
  lifecycle: Lifecycle;
  say(line: string): void;
}

/** What a start of everything in one process brings besides the product. */
export interface AllInOne {
  /** The environment with what leads the services to it. */
  readonly env: NodeJS.ProcessEnv;
  /** Where the product is to listen; a free port where any will do: links are written before it listens. */
  readonly port: number;
  databaseUrlOf(service: ServiceName): string;
  directUrlOf(service: ServiceName): string;
  /** Reports the address of the product to the payments simulator and in the terminal. */
  productIsAt(url: string, seconds: number): void;
}

/** Starts the simulators that stand in until real credentials are set, and a migrated database. */
export async function startAllInOne(options: AllInOneOptions): Promise<AllInOne> {
  const { settings, env, folder, logger, lifecycle, say } = options;
  const simulators = env.AGENCY_CLIENT_ID ? undefined : await startAgency();
  const payments = env.STRIPE_SECRET_KEY ? undefined : await startPayments();
  // Never for real users: they would wait for e-mails that no one delivers.
  const mailbox = simulators && !env.SMTP_URL ? await startMailboxPage() : undefined;
  const mail = { ...env, ...mailbox?.env };
  const ownerUrl = settings.DATABASE_URL ?? (await startDatabase()).ownerUrl;
  const directUrl = (settings.DATABASE_URL && settings.DATABASE_DIRECT_URL) || ownerUrl;
  const { roleSecret } = folder.secrets;
  const port = settings.PORT || (await freePort());
  await migrate({ ownerUrl: directUrl, services: registry, roleSecret, logger });
  say('  starting the services …');
  return {
    env: {
      ...accountMails(mail),
      ...mail,
      ...simulators?.env,
      ...payments?.env,
      ...ownSecrets(folder),
      ...ownPushKeys(folder, env),
      ...supportForTryingOut(env),
      ...ownAddress({ ...env, PORT: String(port) }),
    },
    port,
    databaseUrlOf: (service) => serviceUrl(ownerUrl, service, roleSecret),
    directUrlOf: (service) => serviceUrl(directUrl, service, roleSecret),
    productIsAt: (url, seconds) => {
      payments?.productIsAt(url);
      const shown = url.replace('127.0.0.1', 'localhost');
      say(`\nCasewatch is ready at ${shown} (${seconds.toFixed(1)} s)`);
      const urls = { agencyUrl: simulators?.agencyUrl, paymentsUrl: payments?.url, mailboxUrl: mailbox?.url };
      say(`\n${howToTryOut({ url: shown, folder, ...urls }).join('\n')}`);
      const place = path.relative(process.cwd(), folder.path) || folder.path;
      say(`\n  Data and log: ${place}. Stop with Ctrl-C.\n`);
    },
  };

  async function startAgency() {
    const started = await startSimulators(env, settings.AGENCY_SIMULATOR_PORT);
    for (const part of started.parts) lifecycle.add(part);
    return started;
  }

  async function startMailboxPage() {
    if (settings.MAILBOX_PORT === undefined) return undefined;
    // Loaded only where it is used.
    const { startMailbox } = await import('./mailbox.ts');
    const started = await startMailbox(settings.MAILBOX_PORT);
    lifecycle.add({ name: 'mailbox', stop: started.stop });
    return started;
  }

  async function startPayments() {
    const started = await simulatePayments({
      port: settings.PAYMENTS_SIMULATOR_PORT,
      stateFile: path.join(folder.path, 'payments-simulator.json'),
    });
    lifecycle.add(started.part);
    return started;
  }

  async function startDatabase(): Promise<EmbeddedPostgres> {
    say('  starting the database …');
    const starting = startSupervisedPostgres({
      dataDir: path.join(folder.path, 'postgres'),
      password: folder.secrets.databasePassword,
      clock: systemClock,
      logger,
      onStep: (step) => say(`  ${step} …`),
      onGivenUp: (error) => {
        logger.fatal({ err: error }, 'embedded database: gave up restarting, the process ends');
        console.error(
          `\n${error.message}\nCasewatch stops. Look at the disk and memory, then run npm start again.`,
        );
        void lifecycle.stop().finally(() => process.exit(1));
      },
    });
    // Before it runs: its server does not end with this process, and a stop may come during the start.
    lifecycle.add({ name: 'database', stop: async () => (await starting.catch(() => undefined))?.stop() });
    return starting;
  }
}

/** With a mail server e-mails about accounts are sent too, unless it is set otherwise. */
function accountMails({ SMTP_URL }: NodeJS.ProcessEnv): { ACCOUNT_MAILS?: string } {
  return SMTP_URL ? { ACCOUNT_MAILS: 'true' } : {};
}
