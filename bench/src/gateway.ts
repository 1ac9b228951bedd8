import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { type Child, startChild } from './child.ts';
import { type Measure, measure, type Target } from './load.ts';

/**
 * `npm run bench:gateway`: the gateway's own work. The product's gateway and a bare Express + http-proxy-middleware in
 * front of the same service that does none, 64 connections with a session each, short rounds in turn.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 12);
const SECONDS = Number(process.env.SECONDS ?? 3);
/** Where a CPU profile of the gateway goes, if anywhere. */
const PROFILE_DIR = process.env.PROFILE_DIR;
const PEOPLE = 64;
/** Enough for the compiler to have optimized what is measured, also on a crowded machine where seconds say little. */
const WARM_UP_REQUESTS = 20_000;
const LISTENING = /listening (\d+) /;

const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const stops: (() => Promise<void>)[] = [];
try {
  const service = await keep(startChild('bench/src/bare-service.ts', {}, LISTENING));
  const serviceUrl = `http://127.0.0.1:${service.found}`;
  const pair = [await bareProxy(serviceUrl), await gateway(serviceUrl)] as const;
  for (const target of pair) await warmUp(target);
  const rounds: Round[] = [];
  for (let index = 0; index < ROUNDS; index++) rounds.push(await playRound(pair, index % 2 === 1));
  print(rounds);
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Round {
  bare: Measure;
  ours: Measure;
}

async function warmUp(target: Target): Promise<void> {
  for (let requests = 0; requests < WARM_UP_REQUESTS; ) {
    requests += (await measure(target, SECONDS)).requestsPerSecond * SECONDS;
  }
}

/** The first one alternates: a machine that gets busier or quieter favors neither. */
async function playRound([bare, ours]: readonly [Target, Target], oursFirst: boolean): Promise<Round> {
  const early = oursFirst ? await measure(ours, SECONDS) : undefined;
  const floor = await measure(bare, SECONDS);
  return { bare: floor, ours: early ?? (await measure(ours, SECONDS)) };
}

async function bareProxy(serviceUrl: string): Promise<Target> {
  const proxy = await keep(startChild('bench/src/bare-proxy.ts', { TARGET: serviceUrl }, LISTENING));
  const url = `http://127.0.0.1:${proxy.found}/api/case-status/EAC9999103403`;
  return { name: 'bare http-proxy-middleware', url, cookies: cookies(), children: [proxy] };
}

async function gateway(serviceUrl: string): Promise<Target> {
  const identity = await keep(startChild('bench/src/identity-stub.ts', {}, LISTENING));
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const port = await freePort();
  const env = {
    SERVICES: 'gateway',
    PORT: String(port),
    IDENTITY_URL: `http://127.0.0.1:${identity.found}`,
    CASES_URL: serviceUrl,
    INTERNAL_SECRET: randomBytes(16).toString('hex'),
    TOKEN_PRIVATE_KEY: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '100000000',
    RATE_LIMIT_PER_USER_PER_MINUTE: '100000000',
    ...(process.env.LOG_TO_STDOUT ? {} : { LOG_FILE: path.join(folder, 'gateway.log') }),
    ...(PROFILE_DIR ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${PROFILE_DIR}` } : {}),
  };
  const child = await keep(startChild('bench/src/role.ts', env, /started()/));
  const url = `http://127.0.0.1:${port}/api/case-status/EAC9999103403`;
  return { name: 'gateway', url, cookies: cookies(), children: [child] };
}

/** As browsers send them: the session among others. */
function cookies(): string[] {
  return Array.from({ length: PEOPLE }, () => `theme=dark; sid=${randomBytes(32).toString('base64url')}`);
}

async function keep<C extends Child>(starting: Promise<C>): Promise<C> {
  const child = await starting;
  stops.push(() => child.stop());
  return child;
}

function print(rounds: readonly Round[]): void {
  const row = (name: string, all: readonly Measure[]) => {
    const rate = middle(all.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0);
    const cpu = middle(all.map(({ cpuPer10k }) => cpuPer10k)).toFixed(3);
    const failures = all.reduce((sum, one) => sum + one.failures, 0);
    console.log(`| ${name} | ${rate} | ${middle(all.map(({ p99Ms }) => p99Ms))} | ${cpu} | ${failures} |`);
  };
  console.log('| proxy | req/s | p99 ms | its CPU s per 10 k | failures |\n|---|---|---|---|---|');
  row(
    'bare http-proxy-middleware',
    rounds.map(({ bare }) => bare),
  );
  row(
    'gateway',
    rounds.map(({ ours }) => ours),
  );
  const rates = rounds.map(({ bare, ours }) => ours.requestsPerSecond / bare.requestsPerSecond);
  const cpus = rounds.map(({ bare, ours }) => bare.cpuPer10k / ours.cpuPer10k);
  console.log(
    `ratio by rate: ${spread(rates)}; ratio by CPU: ${spread(cpus)} (median, least and most of rounds)`,
  );
}

function spread(values: readonly number[]): string {
  return `${middle(values).toFixed(2)} (${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)})`;
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length / 2)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}
