import { readdirSync, readFileSync } from 'node:fs';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import pg from 'pg';
import { cpuSecondsOf, cpuSecondsOfTree } from '../src/cpu.ts';
import type { LoadedProduct } from './product.ts';

/** What the product holds at one moment: must not grow with time. */
export interface Resources {
  readonly atSeconds: number;
  readonly rssMb: number;
  readonly handles: number;
  readonly connections: number;
}

export interface ResourceWatch {
  /** Processor seconds since the beginning. */
  cpuSeconds(): { product: number; postgres: number };
  stop(): Promise<readonly Resources[]>;
}

const EVERY_MS = 2_000;

/** Samples the product's processes (Linux, proc(5)) and its database connections until it is stopped. */
export async function watchResources(product: LoadedProduct): Promise<ResourceWatch> {
  const client = new pg.Client({ connectionString: product.ownerUrl });
  await client.connect();
  const used = () => ({
    product: product.pids().reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
    postgres: cpuSecondsOfTree(product.postgresPid),
  });
  const before = used();
  const startedMs = performance.now();
  const samples: Resources[] = [];
  const stopping = new AbortController();

  async function sample(): Promise<void> {
    const { rows } = await client.query<{ count: number }>(
      "SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    samples.push({
      atSeconds: (performance.now() - startedMs) / 1_000,
      rssMb: sumOf(product, rssMbOf),
      handles: sumOf(product, (pid) => readdirSync(`/proc/${pid}/fd`).length),
      connections: rows[0]?.count ?? 0,
    });
  }

  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      await sample();
      await systemClock.sleep(EVERY_MS, stopping.signal).catch(() => undefined);
    }
  })();
  return {
    cpuSeconds() {
      const now = used();
      return { product: now.product - before.product, postgres: now.postgres - before.postgres };
    },
    async stop() {
      stopping.abort();
      await sampling;
      await client.end();
      return samples;
    },
  };
}

const sumOf = (product: LoadedProduct, of: (pid: number) => number) =>
  product.pids().reduce((sum, pid) => sum + of(pid), 0);

function rssMbOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
