import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import type { OwnTestKafka } from '@casewatch/dev-stack/kafka/kafka-server';
import { startOwnTestPostgres } from '@casewatch/dev-stack/postgres/own-postgres';
import {
  DEFAULT_ROLE_SECRET,
  type ProductProcesses,
  type RoleProcess,
  startProductProcesses,
} from '@casewatch/dev-stack/processes/product-processes';
import { registry } from '@casewatch/host/registry';
import { simulatePayments } from '@casewatch/host/simulate-payments';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { type MailServer, startMailServer } from '@casewatch/testing/mail-server';
import { addPushDevices } from '@casewatch/testing/push-devices';
import { makePushKeys, type PushService, startPushService } from '@casewatch/testing/push-service';
import { makeSelfSigned } from '@casewatch/testing/self-signed';
import pg from 'pg';
import type { Target } from '../metrics-history.ts';
import { type DrillActions, openDrillActions } from './drill-actions.ts';

const WIDE = '100000000';
const EVENTS_COMMAND = fileURLToPath(new URL('../../../../scripts/events.ts', import.meta.url));

/** The distributed shape with all that it can be connected to, each of which can be broken. */
export interface DrilledProduct extends DrillActions {
  readonly product: ProductProcesses;
  readonly kafka: OwnTestKafka;
  readonly mailServer: MailServer;
  readonly pushService: PushService;
  readonly paymentsUrl: string;
  readonly targets: readonly Target[];
  /** The only process of a role. */
  roleOf(role: ServiceName): Pick<RoleProcess, 'url' | 'kill' | 'restart'>;
  /** Runs the statement in a transaction of a service's account that stays open, as a migration that hangs does. */
  hold(service: ServiceName, statement: string): Promise<void>;
  /** `npm run events -- …`, as runbooks have it. */
  events(...words: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it; everything ends with this process. */
export async function startDrilledProduct(): Promise<DrilledProduct> {
  const stack = new AsyncDisposableStack();
  try {
    return await start(stack);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function start(stack: AsyncDisposableStack): Promise<DrilledProduct> {
  const certificate = stack.adopt(await makeSelfSigned(), (made) => made.remove());
  const stopIt = (part: { stop(): Promise<void> }) => part.stop();
  const [postgres, kafka, mailServer, pushService, payments, metricsPort] = await Promise.all([
    startOwnTestPostgres(),
    startOwnTestKafka(),
    startMailServer(),
    startPushService(certificate),
    simulatePayments({ port: 0, stateFile: undefined }),
    freePort(),
  ]);
  for (const part of [postgres, kafka, mailServer, pushService, payments.part]) {
    stack.adopt(part, stopIt);
  }
  const ownerUrl = postgres.ownerUrl();
  const pushKeys = makePushKeys();
  const product = stack.adopt(
    await startProductProcesses({
      services: registry,
      ownerUrl,
      brokers: kafka.brokers,
      roles: {
        gateway: { env: { METRICS_PORT: String(metricsPort) } },
        notifications: {
          env: {
            ...pushKeys,
            SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
            MAIL_FROM: 'Casewatch <notices@casewatch.test>',
            MAIL_SECRET: 'a secret for links in e-mails',
            MAIL_POLL_MS: '100',
            PUSH_SUBJECT: 'mailto:ops@casewatch.test',
            PUSH_HOSTS: pushService.host,
            PUSH_POLL_MS: '100',
            NODE_EXTRA_CA_CERTS: certificate.certFile,
          },
        },
        // So few that a handful of requests has to wait.
        surveys: { env: { SURVEYS_DATABASE_CONNECTIONS: '2' } },
      },
      env: {
        ...payments.env,
        DEMO_ACCOUNTS: 'true',
        FRESHNESS_SECONDS: '0',
        LOG_LEVEL: 'warn',
        MONITORING_POLL_MS: '100',
        RATE_LIMIT_PER_ADDRESS_PER_MINUTE: WIDE,
        RATE_LIMIT_PER_USER_PER_MINUTE: WIDE,
      },
    }),
    stopIt,
  );
  const pool = stack.adopt(new pg.Pool({ connectionString: ownerUrl, max: 2 }), (open) => open.end());
  const holders = stack.adopt(new Set<pg.Client>(), async (open) => {
    await Promise.all([...open].map((client) => client.end()));
  });
  const agencyUrl = product.agency?.controlUrl ?? '';
  const actions = await openDrillActions({ url: product.url, agencyUrl, pool });
  await addPushDevices((sql, values) => pool.query(sql, values), pushService, {
    userIds: [actions.watchers[0]],
    publicKey: pushKeys.PUSH_VAPID_PUBLIC_KEY,
  });
  const roleOf = (role: ServiceName) => {
    const [process] = product.of(role);
    if (!process) throw new Error(`there is no process of ${role}`);
    return process;
  };

  return {
    product,
    kafka,
    mailServer,
    pushService,
    paymentsUrl: payments.url,
    targets: product.processes.map(({ role, url }) => ({
      role,
      url: role === 'gateway' ? `http://127.0.0.1:${metricsPort}` : url,
    })),
    roleOf,
    ...actions,
    async hold(service, statement) {
      const client = new pg.Client({ connectionString: serviceUrl(ownerUrl, service, DEFAULT_ROLE_SECRET) });
      // It is to be terminated.
      client.on('error', () => undefined);
      client.once('end', () => holders.delete(client));
      holders.add(client);
      await client.connect();
      await client.query('BEGIN');
      await client.query(statement);
    },
    async events(...words) {
      const env = { ...process.env, DATABASE_URL: ownerUrl };
      await promisify(execFile)(process.execPath, [EVENTS_COMMAND, ...words], { env });
    },
    stop: () => stack.disposeAsync(),
  };
}
