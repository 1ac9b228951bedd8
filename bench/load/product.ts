import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { registry } from '@casewatch/host/registry';

/** The product under load, in either shape, with a PostgreSQL of its own (fsync on). */
export interface LoadedProduct {
  readonly url: string;
  readonly ownerUrl: string;
  /** Of the product; PostgreSQL, Kafka, Redis and a simulated agency apart are not among them. */
  pids(): readonly number[];
  readonly postgresPid: number;
  /** Where each process answers `/metrics`. */
  readonly targets: readonly { role: string; url: string }[];
  stop(): Promise<void>;
}

const WIDE = '100000000';
/** One address sends everything, and the agency is not what is measured. */
const LIMITS = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: WIDE,
  RATE_LIMIT_PAGES_PER_ADDRESS_PER_MINUTE: WIDE,
  RATE_LIMIT_PER_USER_PER_MINUTE: WIDE,
  SIGN_UPS_PER_ADDRESS: WIDE,
  NOTIFICATION_STREAMS_PER_USER: '1000',
  FRESHNESS_SECONDS: '86400',
};
const AGENCY = { callsPerSecond: 1_000, callsPerDay: 100_000_000 };

export async function startLoadedProduct(distributed: boolean): Promise<LoadedProduct> {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-load-'));
  const stops: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const roleSecret = randomBytes(16).toString('hex');
    const dataDir = path.join(folder, 'pg');
    const database = await startEmbeddedPostgres({
      dataDir,
      password: roleSecret,
      serverSettings: ['max_connections=400'],
    });
    stops.push(database.stop);
    const postgresPid = Number(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const start = distributed ? startApart : startInOne;
    const { ownerUrl } = database;
    const { url, pids, targets } = await start({ ownerUrl, roleSecret, folder, stops });
    return { url, ownerUrl, pids, postgresPid, targets, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Place {
  ownerUrl: string;
  roleSecret: string;
  folder: string;
  stops: (() => Promise<unknown>)[];
}

async function startInOne({ ownerUrl, folder, stops }: Place) {
  const metricsPort = await freePort();
  const url = `http://127.0.0.1:${await freePort()}`;
  const { process: product, ready } = startProductProcess({
    name: 'casewatch',
    program: 'host/src/main.ts',
    readyUrl: `${url}/readyz`,
    env: {
      ...LIMITS,
      DATABASE_URL: ownerUrl,
      DATA_DIR: path.join(folder, 'data'),
      PORT: new URL(url).port,
      METRICS_PORT: String(metricsPort),
      AGENCY_CALLS_PER_SECOND: String(AGENCY.callsPerSecond),
      AGENCY_CALLS_PER_DAY: String(AGENCY.callsPerDay),
    },
  });
  stops.push(product.stop);
  await ready;
  const targets = [{ role: 'all', url: `http://127.0.0.1:${metricsPort}` }];
  return { url, pids: () => numbers([product.pid()]), targets };
}

async function startApart({ ownerUrl, roleSecret, stops }: Place) {
  const [kafka, redis, metricsPort] = await Promise.all([startTestKafka(), startTestRedis(), freePort()]);
  stops.push(kafka.stop, redis.stop);
  const product = await startProductProcesses({
    services: registry,
    ownerUrl,
    roleSecret,
    brokers: kafka.brokers,
    redisUrl: redis.url,
    agency: AGENCY,
    roles: { gateway: { env: { METRICS_PORT: String(metricsPort) } } },
    env: LIMITS,
  });
  stops.push(product.stop);
  return {
    url: product.url,
    pids: () => numbers(product.processes.map(({ pid }) => pid())),
    targets: product.processes.map(({ role, url }) => ({
      role,
      url: role === 'gateway' ? `http://127.0.0.1:${metricsPort}` : url,
    })),
  };
}

const numbers = (pids: readonly (number | undefined)[]) => pids.filter((pid) => pid !== undefined);
