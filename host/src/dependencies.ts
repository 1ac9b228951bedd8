import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { measureDependency } from '@casewatch/service-kit/telemetry/dependency-gauge';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';

export interface Dependencies {
  /** Of one of the services of this process. */
  databaseUrl: string | undefined;
  redis: { url: string; ping(): Promise<unknown> } | undefined;
  kafka: { brokers: readonly string[]; ping(): Promise<unknown> } | undefined;
  /** The agency's, where this process calls it and looks its name up itself: behind HTTPS_PROXY the proxy does. */
  agencyUrl: string | undefined;
}

/** Measures whether what this process depends on answers it, and whether names are resolved where any has to be. */
export function measureDependencies(
  meter: Meter,
  { databaseUrl, redis, kafka, agencyUrl }: Dependencies,
  resolve: (host: string) => Promise<unknown> = lookup,
): void {
  if (databaseUrl) measureDependency(meter, 'postgresql', () => pingPostgres(databaseUrl));
  if (redis) measureDependency(meter, 'redis', redis.ping);
  if (kafka) measureDependency(meter, 'kafka', kafka.ping);
  const hosts = [agencyUrl, databaseUrl, redis?.url, kafka?.brokers.join(',')].flatMap(hostsIn);
  const name = hosts.find(isName);
  if (name) measureDependency(meter, 'dns', () => resolve(name));
}

/** A connection of its own: one of the pool may have to be waited for, which says nothing of PostgreSQL. */
async function pingPostgres(connectionString: string): Promise<void> {
  // The gateway loads nothing of databases.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1_000, query_timeout: 1_000 });
  // It may be terminated at any time.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    // One that hangs is not waited for.
    client.end().catch(() => undefined);
  }
}

/** Neither an address, nor the folder of a socket, which a URL has percent-encoded, nor this machine. */
const isName = (host: string) =>
  host !== '' && host !== 'localhost' && !host.includes('%') && isIP(host) === 0;

/** Of a URL, which may list several servers as Redis' and PostgreSQL's do, or of such a list. */
function hostsIn(url = ''): string[] {
  const [, servers = ''] = /^(?:[a-z+]+:\/\/)?(?:[^/]*@)?([^/?]*)/.exec(url) ?? [];
  return servers.split(',').map((server) => server.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''));
}
