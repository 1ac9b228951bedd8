import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DEFAULT_ROLE_SECRET, startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import pg from 'pg';
import { openSchemas } from '../../src/events-command/open-schemas.ts';
import { publishAgain } from '../../src/events-command/publish-again.ts';
import { registry } from '../../src/registry.ts';
import { startArchivedPostgres } from './archived-postgres.ts';
import { openKafkaLag } from './kafka-lag.ts';

const ROLES = ['cases', 'monitoring', 'notifications'] as const;
const ARCHIVE_TIMEOUT_SECONDS = 2;
const guide = readFileSync(new URL('../../../docs/recovery.md', import.meta.url), 'utf8');
/** What docs/recovery.md has run in a restored database before the start. */
const BEFORE_START = /^UPDATE (?:cases\.agency_budget_days|notifications\.recipients) [^;]+;$/gm;

export type ArchivedProduct = Awaited<ReturnType<typeof startArchivedProduct>>;

/** The roles from a check to a notification as real processes, on a PostgreSQL whose WAL is archived. Parts that `stop` gets are stopped last to first. */
export async function startArchivedProduct(stop: (() => Promise<unknown>)[]) {
  const postgres = await startArchivedPostgres({ archiveTimeoutSeconds: ARCHIVE_TIMEOUT_SECONDS });
  stop.push(postgres.stop);
  const redis = await startOwnTestRedis();
  stop.push(redis.stop);
  const brokers = await testKafkaBrokers();
  const firstPrefix = `test-${randomBytes(6).toString('hex')}.`;
  const left = [...registry.map(({ name }) => name), 'gateway' as const].filter(
    (role) => !(ROLES as readonly string[]).includes(role),
  );
  const product = await startProductProcesses({
    services: registry,
    ownerUrl: postgres.ownerUrl,
    brokers,
    redisUrl: redis.url,
    agency: { callsPerSecond: 1_000 },
    roles: Object.fromEntries(left.map((role) => [role, { replicas: 0 }])),
    env: {
      KAFKA_TOPIC_PREFIX: firstPrefix,
      AGENCY_REST_MS: '500',
      MONITORING_LEASE_SECONDS: '14',
      MONITORING_POLL_MS: '100',
      LOG_LEVEL: 'warn',
    },
  });
  stop.push(product.stop);
  const database = openDatabase(postgres.ownerUrl);
  stop.push(database.end);
  const roleOf = (role: (typeof ROLES)[number]) => {
    const [found] = product.of(role);
    if (!found) throw new Error(`${role} does not run`);
    return found;
  };

  async function isSettled(kafka: ReturnType<typeof openKafkaLag>): Promise<boolean> {
    const due = await database.query(
      'SELECT 1 FROM monitoring.watches WHERE owed_since IS NOT NULL OR next_check_at <= now()',
    );
    const waiting = await Promise.all(
      ROLES.map((role) => database.query(`SELECT 1 FROM ${role}.outbox WHERE done_at IS NULL`)),
    );
    return due.length === 0 && waiting.flat().length === 0 && (await kafka.lag()).behind === 0;
  }
  /** Says whether everything due is checked and every event handled, on the topics with this prefix. */
  function settledOn(topicPrefix: string): () => Promise<boolean> {
    const kafka = openKafkaLag({ brokers, topicPrefix });
    stop.push(kafka.stop);
    return () => isSettled(kafka);
  }

  return {
    postgres,
    redis,
    agency: product.agency,
    database,
    roleOf,
    settled: settledOn(firstPrefix),
    /** Loses every process and the server at once. */
    async lose(): Promise<void> {
      await Promise.all(ROLES.map((role) => roleOf(role).kill()));
      await postgres.lose();
    },
    /** Starts on a restored server as docs/recovery.md has it. Resolves to what says whether everything is settled there. */
    async startRestored(ownerUrl: string): Promise<() => Promise<boolean>> {
      await database.moveTo(ownerUrl);
      const { schemas, close } = await openSchemas({ DATABASE_URL: ownerUrl }, registry);
      await publishAgain(schemas, () => undefined).finally(close);
      for (const [statement] of guide.matchAll(BEFORE_START)) await database.query(statement);
      const topicPrefix = `restored-${randomBytes(6).toString('hex')}.`;
      const settled = settledOn(topicPrefix);
      const env = (role: (typeof ROLES)[number]) => ({
        DATABASE_URL: serviceUrl(ownerUrl, role, DEFAULT_ROLE_SECRET),
        KAFKA_TOPIC_PREFIX: topicPrefix,
      });
      await Promise.all(ROLES.map((role) => roleOf(role).restart(env(role))));
      return settled;
    },
  };
}

/** The database that the product has now: its address changes with a restore. */
function openDatabase(firstUrl: string) {
  let pool = open(firstUrl);
  function open(connectionString: string) {
    const opened = new pg.Pool({ connectionString, max: 4 });
    // Its server is to be lost.
    opened.on('error', () => undefined);
    return opened;
  }
  return {
    query: async <Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []) =>
      (await pool.query<Row>(text, parameters)).rows,
    async moveTo(url: string) {
      await pool.end();
      pool = open(url);
    },
    end: () => pool.end(),
  };
}
