import autocannon from 'autocannon';
import { type Child, cpuSeconds } from './child.ts';

export interface Measure {
  requestsPerSecond: number;
  p99Ms: number;
  /** Processor seconds of the processes under test for 10,000 answers. */
  cpuPer10k: number;
  failures: number;
}

export interface Target {
  name: string;
  url: string;
  /** One is taken per connection, round robin. */
  cookies: readonly string[];
  children: readonly Child[];
}

const CONNECTIONS = 64;

/** Loads one target for some seconds over 64 keep-alive connections. */
export async function measure(target: Target, seconds: number): Promise<Measure> {
  const before = cpuSeconds(target.children);
  let next = 0;
  const result = await autocannon({
    url: target.url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => {
      const cookie = target.cookies[next++ % Math.max(1, target.cookies.length)];
      if (cookie) client.setHeaders({ cookie });
    },
  });
  const answers = result['2xx'];
  return {
    requestsPerSecond: answers / result.duration,
    p99Ms: result.latency.p99,
    cpuPer10k: ((cpuSeconds(target.children) - before) / answers) * 10_000,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}

/** Returns the middle one by rate. */
export function median(measures: readonly Measure[]): Measure {
  const sorted = [...measures].sort((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}
