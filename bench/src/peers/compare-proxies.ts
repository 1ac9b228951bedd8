import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNpmPackages } from '@casewatch/dev-stack/tools/npm-packages';
import { type Child, startChild } from '../child.ts';
import {
  cookies,
  LISTENING,
  LOOKUP_PATH,
  startBareProxy,
  startBareService,
  startGateway,
  warmUp,
} from '../gateway/proxies.ts';
import { type Measure, measure, type Target } from '../load.ts';
import { startNginx } from './nginx.ts';
import { spread } from './spread.ts';

const SECONDS = Number(process.env.SECONDS ?? 3);
const pinned = fileURLToPath(new URL('../../peers/fastify/', import.meta.url));

/**
 * Measures nginx, Fastify with @fastify/http-proxy, and Express with http-proxy-middleware beside the gateway, in turn in front of the
 * same service that does no work. The three only pass requests on; the gateway also resolves sessions, signs identity
 * tokens, limits, cleans headers and logs. No goal.
 */
export async function compareProxies(rounds: number): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-peers-'));
  const stops: (() => Promise<void>)[] = [];
  const keep = async <C extends Child>(starting: Promise<C>): Promise<C> => {
    const child = await starting;
    stops.push(() => child.stop());
    return child;
  };
  try {
    const serviceUrl = await startBareService(keep);
    const nginx = await keep(startNginx(serviceUrl, folder));
    const modules = await installNpmPackages({ program: 'Fastify', pinned });
    const env = { MODULES: modules, TARGET: serviceUrl };
    const fastify = await keep(startChild('bench/peers/fastify/proxy.mjs', env, LISTENING));
    const targets: Target[] = [
      { name: 'nginx', url: nginx.url + LOOKUP_PATH, cookies: cookies(), children: [nginx] },
      {
        name: '@fastify/http-proxy',
        url: `http://127.0.0.1:${fastify.found}${LOOKUP_PATH}`,
        cookies: cookies(),
        children: [fastify],
      },
      await startBareProxy(serviceUrl, keep),
      await startGateway(serviceUrl, keep, { LOG_FILE: path.join(folder, 'gateway.log') }),
    ];
    for (const target of targets) await warmUp(target, SECONDS);
    const measured = new Map<string, Measure[]>(targets.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      // Another one begins each time: a machine that gets busier or quieter favors none.
      const first = round % targets.length;
      for (const target of [...targets.slice(first), ...targets.slice(0, first)])
        measured.get(target.name)?.push(await measure(target, SECONDS));
    }
    print(measured);
    return true;
  } finally {
    for (const stop of stops.reverse()) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(measured: ReadonlyMap<string, readonly Measure[]>): void {
  const gateway = measured.get('gateway') ?? [];
  console.log(
    '\n| proxy | req/s | p99 ms | its CPU s per 10 k | gateway / it by rate | by CPU | failures |\n|---|---|---|---|---|---|---|',
  );
  for (const [name, all] of measured) {
    const rate = gateway.map(
      (ours, nth) => ours.requestsPerSecond / (all[nth]?.requestsPerSecond ?? Number.NaN),
    );
    const cpu = gateway.map((ours, nth) => (all[nth]?.cpuPer10k ?? Number.NaN) / ours.cpuPer10k);
    const cells = [
      spread(
        all.map(({ requestsPerSecond }) => requestsPerSecond),
        0,
      ),
      spread(
        all.map(({ p99Ms }) => p99Ms),
        0,
      ),
      spread(
        all.map(({ cpuPer10k }) => cpuPer10k),
        2,
      ),
      spread(rate, 2),
      spread(cpu, 2),
      all.reduce((sum, { failures }) => sum + failures, 0),
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}
