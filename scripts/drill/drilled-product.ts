import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
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
import { makePushKeys, type PushService, startPushService } from '@casewatch/testing/push-service';
import { makeSelfSigned } from '@casewatch/testing/self-signed';
import pg from 'pg';
import type { Target } from '../../tools/observability/src/metrics-history.ts';
import { commandsOf } from '../../tools/observability/src/page-commands.ts';

const UNSAFE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const USER = { email: 'pro@demo.test', password: 'demo-demo-demo' };
const WIDE = '100000000';
/** Requests of `visit` that are in flight at a time. */
const AT_ONCE = 16;
const EVENTS_COMMAND = fileURLToPath(new URL('../events.ts', import.meta.url));

/** The distributed shape with all that it can be connected to, each of which can be broken. */
export interface DrilledProduct {
  readonly product: ProductProcesses;
  readonly kafka: OwnTestKafka;
  readonly mailServer: MailServer;
  readonly pushService: PushService;
  readonly paymentsUrl: string;
  readonly targets: readonly Target[];
  /** The only process of a role. */
  roleOf(role: ServiceName): RoleProcess;
  /** As the owner of the schemas. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs the statement in a transaction of a service's account that stays open, as a migration that hangs does. */
  hold(service: ServiceName, statement: string): Promise<void>;
  /** Runs the statement of a runbook that contains `part`. What it restricts to older transactions is about all of them here. */
  runbookSql(page: string, part: string): Promise<void>;
  /** `npm run events -- …`, as runbooks have it. */
  events(...words: string[]): Promise<void>;
  agencyControl(path: string, body: unknown): Promise<void>;
  /** So many requests of a user; resolves when all are answered, in whatever way. */
  visit(path: string, count?: number): Promise<void>;
  /** A user's lookups of cases that nothing stored can answer. */
  lookUp(count?: number): Promise<void>;
  /** So many watched cases that have moved since they were last checked, each with two watchers, due for so long. */
  watchMovedCases(count: number, dueForSeconds?: number): Promise<void>;
  /** Resolves when every watcher of moved cases is notified. */
  allNotified(): Promise<void>;
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
  const cookie = await signIn(product.url);
  const watchers = [randomUUID(), randomUUID()];
  await makeWatchers(pool, watchers, pushService, pushKeys.PUSH_VAPID_PUBLIC_KEY);
  let receipts = 0;
  const nextReceipt = () => `WAC${String(2 * ++receipts).padStart(10, '0')}`;

  async function sql<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
    return (await pool.query<Row>(text, [...values])).rows;
  }

  async function visitEach(paths: readonly string[]): Promise<void> {
    const queue = [...paths];
    const visitor = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const answer = await fetch(product.url + next, { headers: { cookie } });
        await answer.body?.cancel();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  }

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
    sql,
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
    async runbookSql(page, part) {
      const command = commandsOf(`runbooks/${page}`).find(({ text }) => text.includes(part));
      if (!command) throw new Error(`docs/runbooks/${page} has no command with ${part}`);
      await sql(command.text.replace("interval '1 minute'", "interval '0'"));
    },
    async events(...words) {
      const env = { ...process.env, DATABASE_URL: ownerUrl };
      await promisify(execFile)(process.execPath, [EVENTS_COMMAND, ...words], { env });
    },
    async agencyControl(path, body) {
      const answer = await fetch(`${product.agency?.controlUrl}${path}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`the agency simulator answered ${answer.status}`);
    },
    visit: (path, count = 1) => visitEach(Array.from({ length: count }, () => path)),
    lookUp: (count = 1) =>
      visitEach(Array.from({ length: count }, () => `/api/case-status/${nextReceipt()}`)),
    async watchMovedCases(count, dueForSeconds = 0) {
      const numbers = Array.from({ length: count }, nextReceipt);
      await sql(
        `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days, since, changed_at)
         SELECT user_id, number, 1, now() - interval '2 days', now() - interval '2 days'
         FROM unnest($1::uuid[]) AS user_id, unnest($2::text[]) AS number`,
        [watchers, numbers],
      );
      await sql(
        `INSERT INTO monitoring.watches (receipt_number, period_days, next_check_at, last_status, status_observed_at)
         SELECT number, 1, now() - $2 * interval '1 second', 'Case Is Before The Drill', now() - interval '1 day'
         FROM unnest($1::text[]) AS number`,
        [numbers, dueForSeconds],
      );
    },
    allNotified: () =>
      until('every watcher is notified', async () => {
        const [row] = await sql<{ missing: number }>(
          `SELECT (SELECT count(*) FROM monitoring.watchers)::int
             - (SELECT count(*) FROM notifications.notifications)::int AS missing`,
        );
        return row?.missing === 0;
      }),
    stop: () => stack.disposeAsync(),
  };
}

/** Looks again and again. @throws when it does not come true within half a minute */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`not within 30 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Accounts with an address each, and one device for push messages. */
async function makeWatchers(
  pool: pg.Pool,
  watchers: readonly string[],
  pushService: PushService,
  publicKey: string,
): Promise<void> {
  await pool.query(
    `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at)
     SELECT id, id || '@people.test', id || '@people.test', '-', 'A', 'B', now() FROM unnest($1::uuid[]) AS id`,
    [watchers],
  );
  const { name, subscription } = pushService.subscribe(publicKey);
  await pool.query(
    `INSERT INTO notifications.push_devices (id, user_id, endpoint, p256dh, auth, public_key, name, added_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, now())`,
    [
      watchers[0],
      subscription.endpoint,
      subscription.keys.p256dh,
      subscription.keys.auth,
      subscription.publicKey,
      name,
    ],
  );
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: UNSAFE,
    body: JSON.stringify(USER),
  });
  if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
