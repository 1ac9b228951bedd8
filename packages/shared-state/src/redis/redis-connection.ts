import type { ConnectionOptions } from 'node:tls';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createOutageLog } from '@casewatch/service-kit/runtime/outage-log';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { turningConnector } from './redis-turning-connector.ts';
import { parseRedisUrl, type RedisPlace } from './redis-url.ts';

/** A server that owes an answer for this time is unavailable: the connection is reopened. */
const SILENCE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;
/** Interval at which the assignment of a cluster's slots is refreshed. */
const SLOTS_REFRESH_MS = 3_000;
const POLL_MS = 10;

const retryAfterMs = (times: number) => Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(times, 10));

/** No command is queued for later or sent twice. */
const OPTIONS = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_MS,
  commandTimeout: SILENCE_MS,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy: retryAfterMs,
  // A master that has become a replica is replaced by the new one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

const OUTAGE = {
  outage: 'redis: unavailable, reconnecting',
  recovery: 'redis: available',
};

export interface OpenRedisOptions {
  /** In the form that `parseRedisUrl` accepts. */
  url: string;
  logger: Logger;
}

/** Commands to a server, or to the node of a cluster that holds the key. */
export type RedisCommands = Redis | Cluster;

/**
 * Opens a connection that reconnects by itself. A command fails at once while the server is unavailable, and within about
 * a second when it stops answering; none is queued for later or sent twice, because it would be stale by then.
 * @throws when the URL is invalid
 */
export function openRedis({ url, logger }: OpenRedisOptions): RedisCommands {
  const place = parseRedisUrl(url);
  return place.kind === 'cluster' ? openCluster(place, logger) : withOutageLog(openServer(place), logger);
}

/** Opens a connection like `openRedis`, to one node at a time of a cluster: each node delivers all published messages. */
export function openRedisSubscriber({ url, logger }: OpenRedisOptions): Redis {
  const place = parseRedisUrl(url);
  return withOutageLog(place.kind === 'cluster' ? openAnyNode(place) : openServer(place), logger);
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
    // Used when all sentinels have been tried, also if each named an unavailable server; without it the client stops trying.
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
    // No command is retried automatically; one sent to the wrong node is redirected.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: SILENCE_MS,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    redisOptions: { ...redisOptions, ...accessOf(place) },
    // A certificate names the host, not its address.
    ...(place.tls ? { dnsLookup: (host, found) => found(null, host) } : {}),
  });
  // By default a node connects with its first command and rejects those that arrive while it connects.
  cluster.on('+node', (node: Redis) => {
    const { host, port } = node.options;
    logNodeOutages(node, logger.child({ node: `${host}:${port}` }));
    if (node.status === 'wait') node.connect().catch(() => undefined);
  });
  return withOutageLog(cluster, logger);
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

/** Logs each outage of a connection once, and its recovery. */
function withOutageLog<Connection extends RedisCommands>(redis: Connection, logger: Logger): Connection {
  const log = createOutageLog(logger, OUTAGE);
  redis.on('error', log.failed);
  redis.on('close', log.failed);
  redis.on('ready', log.recovered);
  return redis;
}

/** The same for a node, without `close`: a node without slots is disconnected on purpose. */
function logNodeOutages(node: Redis, logger: Logger): void {
  const log = createOutageLog(logger, OUTAGE);
  node.on('error', log.failed);
  node.on('ready', log.recovered);
}

/** Waits for the first connection, for at most `ms`: a process starts without Redis, as it continues without it. */
export async function untilConnected(redis: RedisCommands, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!isConnected(redis)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

function isConnected(redis: RedisCommands): boolean {
  if (redis.status !== 'ready') return false;
  return !(redis instanceof Cluster) || redis.nodes('master').every(({ status }) => status === 'ready');
}
