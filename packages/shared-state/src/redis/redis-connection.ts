import type { ConnectionOptions } from 'node:tls';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createTroubleLog } from '@casewatch/service-kit/runtime/trouble-log';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { turningConnector } from './redis-turning-connector.ts';
import { parseRedisUrl, type RedisPlace } from './redis-url.ts';

/** A server that is silent for so long while it owes an answer is away: the connection is made anew. */
const SILENCE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;
/** How soon it is noticed that a slot of a cluster has another master. */
const SLOTS_REFRESH_MS = 3_000;
const LOOK_EVERY_MS = 10;

const retryAfterMs = (times: number) => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(times, 10));

/** Nothing is kept for later or sent twice. */
const OPTIONS = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_MS,
  commandTimeout: SILENCE_MS,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy: retryAfterMs,
  // A master that has become a replica is left for the new one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

export interface OpenRedisOptions {
  /** As `parseRedisUrl` takes it. */
  url: string;
  logger: Logger;
}

/** Commands to a server, or to the node of a cluster that holds the key. */
export type RedisCommands = Redis | Cluster;

/**
 * A connection that comes back by itself. A command fails at once while the server is away, and within about a second
 * when it stops answering; none is kept for later or sent twice, because what it was meant for is over by then.
 * @throws when the URL is none
 */
export function openRedis({ url, logger }: OpenRedisOptions): RedisCommands {
  const place = parseRedisUrl(url);
  return place.kind === 'cluster' ? openCluster(place, logger) : told(openServer(place), logger);
}

/** A connection as `openRedis` opens, to one node at a time of a cluster: each of them tells all that is published. */
export function openRedisSubscriber({ url, logger }: OpenRedisOptions): Redis {
  const place = parseRedisUrl(url);
  return told(place.kind === 'cluster' ? openAnyNode(place) : openServer(place), logger);
}

type Place<Kind extends RedisPlace['kind']> = Extract<RedisPlace, { kind: Kind }>;

function openServer(place: Exclude<RedisPlace, { kind: 'cluster' }>): Redis {
  if (place.kind === 'server') return new Redis(place.url, OPTIONS);
  const { sentinelUsername, sentinelPassword } = place;
  return new Redis({
    ...OPTIONS,
    ...accessOf(place),
    sentinels: [...place.sentinels],
    name: place.master,
    db: place.database,
    sentinelCommandTimeout: SILENCE_MS,
    // Asked when all of them have been tried, also if each has named a server that is away: without it that is the end.
    sentinelRetryStrategy: retryAfterMs,
    ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(place.tls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
  });
}

function openCluster(place: Place<'cluster'>, logger: Logger): Cluster {
  const { retryStrategy: _again, enableOfflineQueue: _queue, ...redisOptions } = OPTIONS;
  const cluster = new Cluster([...place.nodes], {
    clusterRetryStrategy: retryAfterMs,
    clusterNodeRetryStrategy: retryAfterMs,
    enableOfflineQueue: false,
    // Nothing is tried again by itself; who asks a node for what another has by now is sent there.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: SILENCE_MS,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    redisOptions: { ...redisOptions, ...accessOf(place) },
    // A certificate names the host, not its address.
    ...(place.tls ? { dnsLookup: (host, found) => found(null, host) } : {}),
  });
  // By itself it would connect with the first command, and refuse those that come meanwhile.
  cluster.on('+node', (node: Redis) => {
    const { host, port } = node.options;
    toldNode(node, logger.child({ node: `${host}:${port}` }));
    if (node.status === 'wait') node.connect().catch(() => undefined);
  });
  return told(cluster, logger);
}

function openAnyNode(place: Place<'cluster'>): Redis {
  return new Redis({ ...OPTIONS, ...accessOf(place), Connector: turningConnector(place.nodes, place.tls) });
}

interface Access {
  username?: string;
  password?: string;
  tls?: ConnectionOptions;
}

function accessOf({ username, password, tls }: Place<'cluster'> | Place<'sentinel'>): Access {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
  };
}

/** Says once that it is away, and once that it is back. */
function told<Connection extends RedisCommands>(redis: Connection, logger: Logger): Connection {
  const log = createTroubleLog(logger, { trouble: 'Redis is away', over: 'Redis is back' });
  redis.on('error', log.trouble);
  redis.on('close', log.trouble);
  redis.on('ready', log.over);
  return redis;
}

/** The same of a node, which is also left on purpose: when it has nothing any more. */
function toldNode(node: Redis, logger: Logger): void {
  const log = createTroubleLog(logger, { trouble: 'Redis is away', over: 'Redis is back' });
  node.on('error', log.trouble);
  node.on('ready', log.over);
}

/** Waits for the first connection, for at most `ms`: a process starts without Redis as it goes on without it. */
export async function untilConnected(redis: RedisCommands, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!isConnected(redis)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return true;
}

function isConnected(redis: RedisCommands): boolean {
  if (redis.status !== 'ready') return false;
  return !(redis instanceof Cluster) || redis.nodes('master').every(({ status }) => status === 'ready');
}
