import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { type RoleProcess, startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { registry } from '@casewatch/host/registry';
import { cpuSecondsOf, cpuSecondsOfTree } from '../cpu.ts';
import { pause } from './cases-load.ts';

/** The simulator's own limit: never reached. */
const UNTHROTTLED = 100_000;
const POLL_MS = 5;

export type TwoCases = Awaited<ReturnType<typeof startTwoCases>>;

/** Starts two processes of cases with a simulated agency, PostgreSQL (fsync on) and Kafka, all of them real processes. */
export async function startTwoCases(env: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
  const dataDir = path.join(folder, 'pg');
  const roleSecret = randomBytes(16).toString('hex');
  const stops: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const each of stops.reverse()) await each();
  };
  const database = await startEmbeddedPostgres({ dataDir, password: roleSecret });
  stops.push(database.stop);
  const postgresPid = Number(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const kafka = await startTestKafka();
  stops.push(kafka.stop);
  const product = await startProductProcesses({
    services: registry.filter(({ name }) => name === 'cases'),
    ownerUrl: database.ownerUrl,
    roleSecret,
    brokers: kafka.brokers,
    agency: { callsPerSecond: UNTHROTTLED, callsPerDay: 1_000_000_000 },
    roles: { cases: { replicas: 2 }, gateway: { replicas: 0 } },
    env: { ...env, LOG_LEVEL: 'warn' },
  });
  stops.push(product.stop);
  const controlUrl = product.agency?.controlUrl ?? '';

  async function made(): Promise<{ total: number; maxInAnySecond: number }> {
    return (await (await fetch(`${controlUrl}/calls`)).json()) as { total: number; maxInAnySecond: number };
  }

  async function isCaller({ url, pid }: RoleProcess): Promise<boolean> {
    if (!pid()) return false;
    return /^casewatch_agency_caller(\{[^}]*\})? 1$/m.test(await (await fetch(`${url}/metrics`)).text());
  }

  return {
    agencyUrl: product.agency?.url ?? '',
    processes: product.of('cases'),
    /** Calls that have arrived at the agency. */
    made,
    forgetCalls: () => fetch(`${controlUrl}/calls`, { method: 'DELETE' }),
    /** The process that calls, and the other one. */
    async roles(): Promise<{ caller: RoleProcess; other: RoleProcess }> {
      for (;;) {
        const [one, two] = product.of('cases');
        if (!one || !two) throw new Error('there are not two processes of cases');
        if (await isCaller(one)) return { caller: one, other: two };
        if (await isCaller(two)) return { caller: two, other: one };
        await pause(50);
      }
    },
    async restart(settings: Record<string, string>): Promise<void> {
      for (const each of product.of('cases')) await each.restart(settings);
    },
    /** Processor seconds so far of both processes and of PostgreSQL. */
    cpu: () => ({
      cases: product.of('cases').reduce((sum, { pid }) => sum + cpuSecondsOf(pid() ?? 0), 0),
      postgres: cpuSecondsOfTree(postgresPid),
    }),
    /** The longest time between two calls, as seen every 5 ms, from now on until the given number more have arrived. */
    async longestGapMs(calls: number): Promise<number> {
      let { total } = await made();
      const enough = total + calls;
      let [lastMs, longestMs] = [performance.now(), 0];
      while (total < enough) {
        await pause(POLL_MS);
        const now = await made();
        if (now.total === total) continue;
        longestMs = Math.max(longestMs, performance.now() - lastMs);
        lastMs = performance.now();
        total = now.total;
      }
      return longestMs;
    },
    stop,
  };
}
