import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { freePort } from '@casewatch/dev-stack/free-port';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { startAgencyProcess } from '@casewatch/dev-stack/processes/agency-process';
import { type ProductProcess, startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { type Role, startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { type Mutation, mutatedBy } from '@casewatch/testing/mutation';
import { TEST_ROLE_SECRET } from '@casewatch/testing/test-cluster';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { registry } from '../../src/registry.ts';
import { openKafkaLag } from './kafka-lag.ts';
import { until } from './until.ts';

export type Shape = 'kafka' | 'all-in-one';

export interface WatchedProductOptions {
  shape: Shape;
  /** In the Kafka shape, besides `cases`, `monitoring` and `notifications`. */
  alsoRoles?: readonly Role[];
  /** In the Kafka shape: how many processes of a role, if not one. */
  replicas?: Partial<Record<Role, number>>;
  callsPerSecond?: number;
  env?: Record<string, string>;
  mutations?: readonly Mutation[];
}

/** Characters. */
const LOGS_TOLD = 2_000;
const WATCHING: readonly Role[] = ['cases', 'monitoring', 'notifications'];
export type WatchedProduct = Awaited<ReturnType<typeof startWatchedProduct>>;

/** The product as real processes on real parts, with a database and a simulated agency of its own. */
export async function startWatchedProduct(options: WatchedProductOptions) {
  const database = await createTestDatabase();
  const settings = {
    // A claim whose process died is due again this soon.
    MONITORING_LEASE_SECONDS: '14',
    MONITORING_POLL_MS: '100',
    LOG_LEVEL: 'warn',
    ...options.env,
    ...mutatedBy(options.mutations ?? []),
  };
  const started = await (options.shape === 'kafka' ? startRoles() : startAllInOne());

  async function startRoles() {
    const roles = new Set<Role>([...WATCHING, ...(options.alsoRoles ?? [])]);
    const brokers = await testKafkaBrokers();
    const topicPrefix = `test-${randomBytes(6).toString('hex')}.`;
    const redis = await startOwnTestRedis();
    const left = [...registry.map(({ name }) => name), 'gateway' as const].filter((role) => !roles.has(role));
    const product = await startProductProcesses({
      services: registry,
      ownerUrl: database.ownerUrl,
      brokers,
      redisUrl: redis.url,
      agency: { callsPerSecond: options.callsPerSecond ?? 1_000 },
      roles: Object.fromEntries([
        ...left.map((role) => [role, { replicas: 0 }]),
        ...Object.entries(options.replicas ?? {}).map(([role, replicas]) => [role, { replicas }]),
      ]),
      env: { ...settings, KAFKA_TOPIC_PREFIX: topicPrefix },
    });
    const kafka = openKafkaLag({ brokers, topicPrefix });
    return {
      url: product.url,
      urls: product.urls,
      agency: required(product.agency, 'an agency'),
      kafka,
      of: product.of,
      victims: WATCHING.map((role) => required(product.of(role)[0], role)),
      logs: product.logs,
      stop: async () => {
        await kafka.stop();
        await product.stop();
        await redis.stop();
      },
    };
  }

  async function startAllInOne() {
    const agency = await startAgencyProcess({ callsPerSecond: options.callsPerSecond ?? 1_000 });
    const folder = makeMemoryFolder('faults');
    // The roles' passwords are those of the server that this run shares.
    const secrets = {
      databasePassword: 'unused',
      roleSecret: TEST_ROLE_SECRET,
      adminPasscode: 'unused unused',
    };
    writeFileSync(path.join(folder, 'secrets.json'), JSON.stringify(secrets));
    const url = `http://127.0.0.1:${await freePort()}`;
    const { process: all, ready } = startProductProcess({
      name: 'all-in-one',
      program: 'host/src/main.ts',
      readyUrl: `${url}/readyz`,
      env: {
        ...agency.env,
        ...settings,
        SERVICES: 'all',
        PORT: new URL(url).port,
        DATA_DIR: folder,
        DATABASE_URL: database.ownerUrl,
      },
    });
    await ready;
    return {
      url,
      urls: new Map<Role, string>([['gateway', url]]),
      agency,
      kafka: undefined,
      of: () => [all] as readonly ProductProcess[],
      victims: [all] as readonly ProductProcess[],
      logs: all.logs,
      stop: async () => {
        await all.stop();
        await agency.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }

  /** Whether no event waits, neither in an outbox nor in a topic. */
  async function handledAll(): Promise<boolean> {
    const before = await started.kafka?.lag();
    if (before && before.behind > 0) return false;
    const outboxes = await Promise.all(registry.map(({ name }) => waitingIn(name)));
    if (outboxes.some((rows) => rows.length > 0)) return false;
    // What was sent in between shows as another end.
    return before?.ends === (await started.kafka?.lag())?.ends;
  }
  const waitingIn = (service: ServiceName) =>
    database.query<{ seq: string; topic: string }>(
      `SELECT seq, topic FROM ${service.replaceAll('-', '_')}.outbox WHERE done_at IS NULL`,
    );

  return {
    ...started,
    shape: options.shape,
    database,
    waitingIn,
    /** Starts a process again, with the mutations applied. */
    restart: (victim: ProductProcess, mutations: readonly Mutation[] = []) =>
      victim.restart(mutatedBy(mutations)),
    handledAll,
    watchesDue,
    /** Whether everything that was due is checked and every event handled within the time. */
    settles: (withinMs: number) =>
      until(withinMs, async () => (await watchesDue()) === 0 && (await handledAll())),
    /** Says what went wrong on the way, for a test whose promise was not kept. */
    whatFailed: async () => ({
      deadLetters: await Promise.all(WATCHING.map((role) => deadLettersOf(role))),
      logs: started.logs().slice(-LOGS_TOLD),
    }),
    stop: async () => {
      await started.stop();
      await database.drop();
    },
  };

  function deadLettersOf(role: Role) {
    return database.query<{ topic: string; error: string }>(`SELECT topic, error FROM ${role}.dead_letters`);
  }

  /** How many watches are due or in flight: those claimed by a process that died are checked again. */
  async function watchesDue(): Promise<number> {
    const [row] = await database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM monitoring.watches WHERE owed_since IS NOT NULL OR next_check_at <= now()',
    );
    return row?.count ?? 0;
  }
}

/** Settings of a product that sends its e-mails to this server. */
export const mailSettings = ({ port }: { port: number }) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: 'Casewatch <notices@casewatch.test>',
  MAIL_SECRET: 'a secret for links in e-mails',
  MAIL_LEASE_SECONDS: '70',
  MAIL_POLL_MS: '100',
});

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} was not started`);
  return value;
}
