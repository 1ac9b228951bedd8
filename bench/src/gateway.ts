import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Child } from './child.ts';
import { startBareProxy, startBareService, startGateway, warmUp } from './gateway/proxies.ts';
import { type Measure, measure, type Target } from './load.ts';
import { median, spread } from './spread.ts';

/**
 * `npm run bench:gateway`: the gateway's own work. The product's gateway and a bare Express + http-proxy-middleware in
 * front of the same service that does none, 64 connections with a session each, short rounds in turn.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 12);
const SECONDS = Number(process.env.SECONDS ?? 3);

const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const stops: (() => Promise<void>)[] = [];
try {
  const serviceUrl = await startBareService(keep);
  const ours = await startGateway(serviceUrl, keep, path.join(folder, 'gateway.log'));
  const pair = [await startBareProxy(serviceUrl, keep), ours] as const;
  for (const target of pair) await warmUp(target, SECONDS);
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

/** The first one alternates: a machine that gets busier or quieter favors neither. */
async function playRound([bare, ours]: readonly [Target, Target], oursFirst: boolean): Promise<Round> {
  const early = oursFirst ? await measure(ours, SECONDS) : undefined;
  const floor = await measure(bare, SECONDS);
  return { bare: floor, ours: early ?? (await measure(ours, SECONDS)) };
}

async function keep<C extends Child>(starting: Promise<C>): Promise<C> {
  const child = await starting;
  stops.push(() => child.stop());
  return child;
}

function print(rounds: readonly Round[]): void {
  const row = (name: string, all: readonly Measure[]) => {
    const rate = median(all.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0);
    const cpu = median(all.map(({ cpuPer10k }) => cpuPer10k)).toFixed(3);
    const failures = all.reduce((sum, one) => sum + one.failures, 0);
    console.log(`| ${name} | ${rate} | ${median(all.map(({ p99Ms }) => p99Ms))} | ${cpu} | ${failures} |`);
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
    `ratio by rate: ${spread(rates, 2)}; ratio by CPU: ${spread(cpus, 2)} (median, least and most of rounds)`,
  );
}
