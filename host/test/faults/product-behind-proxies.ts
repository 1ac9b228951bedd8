import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startOwnTestPostgres } from '@casewatch/dev-stack/postgres/own-postgres';
import { startAgencyProcess } from '@casewatch/dev-stack/processes/agency-process';
import {
  type Role,
  type RoleProcess,
  startProductProcesses,
} from '@casewatch/dev-stack/processes/product-processes';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { startTcpProxy, type TcpProxy } from '@casewatch/testing/tcp-proxy';
import pg from 'pg';
import { registry } from '../../src/registry.ts';
import { openKafkaLag } from './kafka-lag.ts';

export const DEPENDENCIES = ['kafka', 'redis', 'postgres', 'agency'] as const;
export type Dependency = (typeof DEPENDENCIES)[number];
export type ProductBehindProxies = Awaited<ReturnType<typeof startProductBehindProxies>>;

const ROLES: readonly Role[] = ['gateway', 'identity', 'cases', 'monitoring', 'notifications'];
const TOPIC_PREFIX = 'faults.';

/** Every role in a process of its own, with a proxy in front of everything that the product depends on. */
export async function startProductBehindProxies() {
  let kafkaProxy: TcpProxy | undefined;
  const [postgres, redis, agency, kafka] = await Promise.all([
    startOwnTestPostgres(),
    startOwnTestRedis(),
    startAgencyProcess({ callsPerSecond: 200 }),
    startOwnTestKafka({
      behind: async (broker) => {
        kafkaProxy = await startTcpProxy(broker);
        return kafkaProxy.port;
      },
    }),
  ]);
  if (!kafkaProxy) throw new Error('Kafka was not put behind its proxy');
  const proxies: Record<Dependency, TcpProxy> = {
    kafka: kafkaProxy,
    // Its port is another one after a restart.
    postgres: await startTcpProxy(() => addressOf(postgres.ownerUrl())),
    redis: await startTcpProxy(addressOf(redis.url)),
    agency: await startTcpProxy(addressOf(agency.url)),
  };
  const ended: string[] = [];
  const left = registry.filter(({ name }) => !ROLES.includes(name));
  const product = await startProductProcesses({
    services: registry,
    ownerUrl: throughProxy(postgres.ownerUrl(), proxies.postgres),
    brokers: kafka.brokers,
    redisUrl: throughProxy(redis.url, proxies.redis),
    agency: false,
    roles: Object.fromEntries(left.map(({ name }) => [name, { replicas: 0 }])),
    env: {
      ...agency.env,
      AGENCY_BASE_URL: throughProxy(agency.url, proxies.agency),
      AGENCY_REST_MS: '500',
      KAFKA_TOPIC_PREFIX: TOPIC_PREFIX,
      MONITORING_LEASE_SECONDS: '14',
      MONITORING_POLL_MS: '100',
      // A failed check is tried again after a second.
      MONITORING_PERIOD_SCALE: '0.01',
      // So that requests get past the gateway while sessions cannot be resolved.
      SESSION_CACHE_SECONDS: '60',
      DEMO_ACCOUNTS: 'true',
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '1000000',
      RATE_LIMIT_PER_USER_PER_MINUTE: '1000000',
      LOG_LEVEL: 'warn',
    },
    onUnexpectedExit: ({ name }: RoleProcess, how) => ended.push(`${name}: ${how}`),
  });
  const lag = openKafkaLag({ brokers: kafka.brokers, topicPrefix: TOPIC_PREFIX });

  return {
    url: product.url,
    proxies,
    postgres,
    /** Processes that ended by themselves. */
    ended,
    of: product.of,
    logs: product.logs,
    lag: lag.lag,
    database: {
      /** As the owner of all schemas, past the proxy. */
      async query<Row extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
        const client = new pg.Client({ connectionString: postgres.ownerUrl() });
        await client.connect();
        try {
          return (await client.query<Row>(sql, parameters)).rows;
        } finally {
          await client.end();
        }
      },
    },
    stop: async () => {
      for (const proxy of Object.values(proxies)) await proxy.set('pass');
      await lag.stop();
      await product.stop();
      await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()));
      await Promise.all([postgres.stop(), redis.stop(), agency.stop(), kafka.stop()]);
    },
  };
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

function throughProxy(url: string, proxy: TcpProxy): string {
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(proxy.port);
  return through.href.replace(/\/$/, '');
}
