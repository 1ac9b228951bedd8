import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { registry } from '@casewatch/host/registry';
import { startSimulators } from '@casewatch/host/simulators';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { type Child, startChild } from './child.ts';
import { type Measure, measure, median, type Target } from './load.ts';
import { must, post, signUp } from './people.ts';

/**
 * `npm run bench:lookup`: a signed-in look-up (fresh in the store) and the list of saved cases through the
 * gateway, in both shapes, compared with a bare Express + http-proxy-middleware pair. Interleaved rounds, one run.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 4);
const PEOPLE = 64;
const RECEIPT = 'EAC9999103403';

const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const stops: (() => Promise<void>)[] = [];
try {
  const targets = [...(await bare()), ...(await allInOne()), ...(await apart())];
  const measures = new Map<string, Measure[]>(targets.map(({ name }) => [name, []]));
  for (const target of targets) await measure(target, 2);
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of targets) measures.get(target.name)?.push(await measure(target, SECONDS));
  }
  print(measures);
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}

async function bare(): Promise<Target[]> {
  const service = await keep(startChild('bench/src/bare-service.ts', {}, /listening (\d+) /));
  const env = { TARGET: `http://127.0.0.1:${service.found}` };
  const proxy = await keep(startChild('bench/src/bare-proxy.ts', env, /listening (\d+) /));
  return [
    { name: 'bare pair', url: `http://127.0.0.1:${proxy.found}/`, cookies: [], children: [service, proxy] },
    { name: 'bare service', url: `http://127.0.0.1:${service.found}/`, cookies: [], children: [service] },
  ];
}

async function allInOne(): Promise<Target[]> {
  const env = { ...limits(), DATA_DIR: path.join(folder, 'all'), PORT: '0' };
  const child = await keep(startChild('host/src/main.ts', env, /ready at (http:\S+)/));
  return lookups('all-in-one', child.found, [child]);
}

/** The gateway, identity and cases as three processes against one PostgreSQL and one Kafka. */
async function apart(): Promise<Target[]> {
  const roleSecret = randomBytes(16).toString('hex');
  const database = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg'), password: roleSecret });
  stops.push(database.stop);
  const logger = createLogger({ level: 'error', name: 'bench' });
  await migrate({ ownerUrl: database.ownerUrl, services: registry, roleSecret, logger });
  const simulators = await startSimulators({}, 0);
  for (const part of simulators.parts) stops.push(() => part.stop());
  const kafka = await startTestKafka();
  stops.push(kafka.stop);
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const shared = {
    ...limits(),
    ...simulators.env,
    KAFKA_BROKERS: kafka.brokers.join(),
    INTERNAL_SECRET: randomBytes(16).toString('hex'),
    TOKEN_PRIVATE_KEY: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    TOKEN_PUBLIC_KEY: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    LOG_FILE: path.join(folder, 'apart.log'),
  };
  const ports = { identity: await freePort(), cases: await freePort(), gateway: await freePort() };
  const start = (role: keyof typeof ports, env: Record<string, string>) => {
    const own = { SERVICES: role, PORT: String(ports[role]), ...env };
    return keep(startChild('bench/src/role.ts', { ...shared, ...own }, /started()/));
  };
  const children = [
    await start('identity', { DATABASE_URL: serviceUrl(database.ownerUrl, 'identity', roleSecret) }),
    await start('cases', { DATABASE_URL: serviceUrl(database.ownerUrl, 'cases', roleSecret) }),
    await start('gateway', {
      IDENTITY_URL: `http://127.0.0.1:${ports.identity}`,
      CASES_URL: `http://127.0.0.1:${ports.cases}`,
    }),
  ];
  return lookups('separate processes', `http://127.0.0.1:${ports.gateway}`, children);
}

function limits(): Record<string, string> {
  const wide = '100000000';
  return {
    RATE_LIMIT_PER_ADDRESS_PER_MINUTE: wide,
    RATE_LIMIT_PER_USER_PER_MINUTE: wide,
    SIGN_UPS_PER_ADDRESS: wide,
    FRESHNESS_SECONDS: '3600',
  };
}

async function lookups(shape: string, url: string, children: Child[]): Promise<Target[]> {
  const cookies: string[] = [];
  for (let index = 0; index < PEOPLE; index++) cookies.push(await person(url, index));
  return [
    { name: `${shape}: look-up`, url: `${url}/api/case-status/${RECEIPT}`, cookies, children },
    { name: `${shape}: saved cases`, url: `${url}/api/saved-cases`, cookies, children },
  ];
}

/** Signs up, looks the case up once so that it is fresh, and saves it. Returns the session cookie. */
async function person(url: string, index: number): Promise<string> {
  const { cookie } = await signUp(url, index);
  await must(fetch(`${url}/api/case-status/${RECEIPT}`, { headers: { cookie } }));
  await must(post(url, '/api/saved-cases', { receiptNumber: RECEIPT, monitoringFrequency: 'none' }, cookie));
  return cookie;
}

async function keep<C extends Child>(starting: Promise<C>): Promise<C> {
  const child = await starting;
  stops.push(() => child.stop());
  return child;
}

function print(measures: ReadonlyMap<string, readonly Measure[]>): void {
  const floor = median(measures.get('bare pair') ?? []);
  console.log(
    '| target | req/s | p99 ms | CPU s per 10 k | rate / bare pair | failures |\n|---|---|---|---|---|---|',
  );
  for (const [name, all] of measures) {
    const { requestsPerSecond, p99Ms, cpuPer10k, failures } = median(all);
    const ratio = (requestsPerSecond / floor.requestsPerSecond).toFixed(2);
    console.log(
      `| ${name} | ${requestsPerSecond.toFixed(0)} | ${p99Ms} | ${cpuPer10k.toFixed(2)} | ${ratio} | ${failures} |`,
    );
  }
}
