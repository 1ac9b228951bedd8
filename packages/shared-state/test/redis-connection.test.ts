import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Cluster, Redis } from 'ioredis';
import { type Logger, pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  openRedis,
  openRedisSubscriber,
  type RedisCommands,
  untilConnected,
} from '../src/redis/redis-connection.ts';
import { turningConnector } from '../src/redis/redis-turning-connector.ts';

/** Nothing listens there. */
const NOWHERE = '127.0.0.1:1';

/** A log of its own for each test: the connections of another may still end. */
let logged: string[];
let logger: Logger;
beforeEach(() => {
  const lines: string[] = [];
  logged = lines;
  logger = pino(
    { level: 'info' },
    { write: (line) => void lines.push([JSON.parse(line).level, JSON.parse(line).msg].join(' ')) },
  );
});
const opened: RedisCommands[] = [];
afterEach(() => {
  for (const connection of opened.splice(0)) connection.disconnect();
});
function open<Connection extends RedisCommands>(connection: Connection): Connection {
  opened.push(connection);
  return connection;
}
function openServer(url: string): Redis {
  const connection = open(openRedis({ url, logger }));
  if (connection instanceof Cluster) throw new Error('a server was expected');
  return connection;
}

/** No command waits, is kept for later or is sent twice. */
const IMPATIENT = {
  connectTimeout: 2_000,
  socketTimeout: 1_000,
  commandTimeout: 1_000,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
};

test.each([
  ['a server', `redis://${NOWHERE}`, {}],
  [
    'a server that sentinels name',
    `rediss+sentinel://ada:secret@${NOWHERE}/main/3?sentinelUsername=eve&sentinelPassword=hush`,
    {
      sentinels: [{ host: '127.0.0.1', port: 1 }],
      name: 'main',
      db: 3,
      username: 'ada',
      password: 'secret',
      sentinelUsername: 'eve',
      sentinelPassword: 'hush',
      sentinelCommandTimeout: 1_000,
      enableTLSForSentinelMode: true,
      tls: {},
    },
  ],
])(
  'a command to %s fails soon, and its connection is opened again after ever longer pauses',
  (_name, url, own) => {
    const { options } = openServer(url);
    expect(options).toMatchObject({ ...IMPATIENT, ...own });
    expect([0, 1, 2, 5, 20].map((times) => options.retryStrategy?.(times))).toEqual([
      50, 100, 200, 1_000, 1_000,
    ]);
    if ('name' in own) expect(options.sentinelRetryStrategy?.(1)).toBe(100);
    expect(
      options.reconnectOnError?.(new Error('READONLY You can’t write against a read only replica.')),
    ).toBe(true);
    expect(options.reconnectOnError?.(new Error('OOM command not allowed'))).toBe(false);
  },
);

test('the nodes of a cluster are as impatient, and its slots are read again every three seconds', () => {
  const cluster = open(openRedis({ url: `redis+cluster://ada:secret@${NOWHERE}`, logger }));
  if (!(cluster instanceof Cluster)) throw new Error('a cluster was expected');
  const { enableOfflineQueue: _, ...ofNodes } = IMPATIENT;
  expect(cluster.options).toMatchObject({
    enableOfflineQueue: false,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: 1_000,
    slotsRefreshInterval: 3_000,
    redisOptions: { ...ofNodes, username: 'ada', password: 'secret' },
  });
  expect(cluster.options.clusterRetryStrategy?.(2)).toBe(200);
});

test('an outage is logged once, and its end, whether the connection fails or is closed', () => {
  const redis = openServer(`redis://${NOWHERE}`);
  redis.emit('error', new Error('connect ECONNREFUSED'));
  redis.emit('close');
  expect(logged).toEqual(['40 redis: unavailable, reconnecting']);
  redis.emit('ready');
  redis.emit('close');
  expect(logged.slice(1)).toEqual(['30 redis: available', '40 redis: unavailable, reconnecting']);
});

test('a process waits for its first connection only for a limited time', async () => {
  const startedMs = performance.now();
  expect(await untilConnected(openServer(`redis://${NOWHERE}`), 50)).toBe(false);
  expect(performance.now() - startedMs).toBeGreaterThan(45);
});

test('of a cluster the nodes are tried in turn, so that a removed one is not tried for ever', async () => {
  const sockets: Socket[] = [];
  const servers = await Promise.all(
    [0, 1, 2].map(async (at) => {
      const server = createServer((socket) => {
        connections[at] = (connections[at] ?? 0) + 1;
        sockets.push(socket);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const connections = [0, 0, 0];
  const nodes = servers.map((server) => {
    const address = server.address();
    return { host: '127.0.0.1', port: typeof address === 'object' && address ? address.port : 0 };
  });
  const Connector = turningConnector(nodes, false);
  for (let nth = 0; nth < 6; nth++) {
    const connector = new Connector({});
    const socket = await connector.connect(() => undefined);
    await once(socket, 'connect');
    connector.disconnect();
  }
  await expect.poll(() => connections).toEqual([2, 2, 2]);
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

test('a subscriber of a cluster is a connection to one of its nodes', async () => {
  const subscriber = open(openRedisSubscriber({ url: `redis+cluster://ada:secret@${NOWHERE}`, logger }));
  expect(subscriber).toBeInstanceOf(Redis);
  expect(subscriber.options).toMatchObject({ ...IMPATIENT, username: 'ada', password: 'secret' });
  await expect.poll(() => logged).toEqual(['40 redis: unavailable, reconnecting']);
});
