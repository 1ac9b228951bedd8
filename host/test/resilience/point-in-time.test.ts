import { randomBytes } from 'node:crypto';
import { DEFAULT_ROLE_SECRET, startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { openSchemas } from '../../src/events-command/open-schemas.ts';
import { publishAgain } from '../../src/events-command/publish-again.ts';
import { registry } from '../../src/registry.ts';
import { startArchivedPostgres } from '../faults/archived-postgres.ts';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { openKafkaLag } from '../faults/kafka-lag.ts';
import { beginRound, type Verdict } from '../faults/rounds.ts';
import { mustCome } from '../faults/until.ts';

/**
 * O5: PostgreSQL is lost and restored to a point in time, at a new address (docs/recovery.md). What was published later than that
 * point, of rows that no longer exist, reaches nobody; what was in flight at the point is neither lost nor doubled.
 */

const CASES = 20;
const ROLES = ['cases', 'monitoring', 'notifications'] as const;
const ARCHIVE_TIMEOUT_SECONDS = 2;
const KEPT: Verdict = { missing: 0, doubled: 0 };

const stop: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of stop.splice(0).toReversed()) await each();
});

/** The database that the product has now: its address changes with a restore. */
function openDatabase(firstUrl: string) {
  let pool = open(firstUrl);
  stop.push(() => pool.end());
  function open(connectionString: string) {
    const opened = new pg.Pool({ connectionString, max: 4 });
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
  };
}

async function startProduct() {
  const postgres = await startArchivedPostgres({ archiveTimeoutSeconds: ARCHIVE_TIMEOUT_SECONDS });
  stop.push(postgres.stop);
  const redis = await startOwnTestRedis();
  stop.push(redis.stop);
  const brokers = await testKafkaBrokers();
  const topicPrefix = `test-${randomBytes(6).toString('hex')}.`;
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
      KAFKA_TOPIC_PREFIX: topicPrefix,
      MONITORING_LEASE_SECONDS: '14',
      MONITORING_POLL_MS: '100',
      LOG_LEVEL: 'warn',
    },
  });
  stop.push(product.stop);
  const database = openDatabase(postgres.ownerUrl);
  const roleOf = (role: (typeof ROLES)[number]) => {
    const [found] = product.of(role);
    if (!found) throw new Error(`${role} does not run`);
    return found;
  };
  const waiting = async () => {
    const outboxes = await Promise.all(
      ROLES.map((role) => database.query(`SELECT 1 FROM ${role}.outbox WHERE done_at IS NULL`)),
    );
    return outboxes.flat().length;
  };
  /** Whether everything due is checked and every event handled, on the topics with this prefix. */
  function settledOn(prefix: string): () => Promise<boolean> {
    const kafka = openKafkaLag({ brokers, topicPrefix: prefix });
    stop.push(kafka.stop);
    return async () => {
      const due = await database.query(
        'SELECT 1 FROM monitoring.watches WHERE owed_since IS NOT NULL OR next_check_at <= now()',
      );
      return due.length === 0 && (await waiting()) === 0 && (await kafka.lag()).behind === 0;
    };
  }
  return { postgres, product, database, roleOf, topicPrefix, settledOn };
}

test('O5: restored to a point in time at a new address, no user is missed, notified twice or told of what no longer exists', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { postgres, database, roleOf, topicPrefix, settledOn } = await startProduct();
  const settled = settledOn(topicPrefix);
  const round = (n: number) => beginRound({ database }, n, CASES);
  await postgres.backUp();
  const delivered = await round(1);
  await mustCome('the first round is delivered', async () => (await delivered.progress()) === 1, 60_000);
  await roleOf('notifications').stop();
  const inKafka = await round(2);
  await mustCome('the second round is in Kafka only', async () => {
    const sent = await database.query(
      `SELECT 1 FROM monitoring.outbox WHERE topic = 'status-changed' AND done_at IS NOT NULL`,
    );
    return sent.length === 4 * CASES;
  });

  const [point] = await database.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  // What happens later is lost: its effects, and rows that its events are about.
  await roleOf('notifications').restart();
  const later = await round(3);
  await mustCome('all three are delivered', settled, 60_000);
  expect(await later.verdict()).toEqual(KEPT);
  await database.query('CREATE TABLE public.archived AS SELECT 1');
  await postgres.archived();

  await Promise.all(ROLES.map((role) => roleOf(role).kill()));
  await postgres.lose();
  await database.moveTo(await postgres.restore('newest'));
  // With the server only what its archive has not got is lost: no more than archive_timeout.
  expect(await database.query('SELECT FROM public.archived')).toHaveLength(1);

  const startedAt = performance.now();
  const ownerUrl = await postgres.restore('earlier', point?.at);
  const restoredAt = performance.now();
  await database.moveTo(ownerUrl);
  const { schemas, close } = await openSchemas({ DATABASE_URL: ownerUrl }, registry);
  await publishAgain(schemas, () => undefined).finally(close);
  // As docs/recovery.md has it: open pages have numbers of the gap, and load the list anew after a leap.
  await database.query('UPDATE notifications.recipients SET last_seq = last_seq + 1000');
  const prefix = `restored-${randomBytes(6).toString('hex')}.`;
  const settledAgain = settledOn(prefix);
  await Promise.all(
    ROLES.map((role) =>
      roleOf(role).restart({
        DATABASE_URL: serviceUrl(ownerUrl, role, DEFAULT_ROLE_SECRET),
        KAFKA_TOPIC_PREFIX: prefix,
      }),
    ),
  );
  const readyAt = performance.now();
  const after = await round(4);
  await mustCome('what was in flight and what comes after is delivered', settledAgain, 60_000);
  console.log(
    `restored in ${Math.round(restoredAt - startedAt)} ms, ready ${Math.round(readyAt - restoredAt)} ms later, settled after ${Math.round(performance.now() - readyAt)} ms`,
  );
  const verdicts = await Promise.all([delivered, inKafka, after].map((each) => each.verdict()));
  expect(verdicts).toEqual([KEPT, KEPT, KEPT]);
  expect(await later.verdict()).toEqual({ missing: 2 * CASES, doubled: 0 });
});
