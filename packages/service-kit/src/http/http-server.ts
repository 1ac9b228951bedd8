import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ListeningServer {
  readonly url: string;
  readonly port: number;
  /**
   * From now on answers carry `Connection: close`, while new connections are still accepted: a client that has a connection
   * learns to open another, to another process, before `drain` closes this one.
   */
  leave(): void;
  /**
   * From now on answers carry `Connection: close`; resolves when the last request is answered. Event streams, which
   * have no end of their own, are ended at random times within `streamsWithinMs`, at once unless given: their clients connect
   * again, at another process. What is still open after `withinMs` (half a request, a client that does not read) is cut off.
   */
  drain(withinMs?: number, streamsWithinMs?: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  /**
   * An idle connection is closed after this time, and clients learn it (`Keep-Alive: timeout`) and close it earlier.
   * Unless given longer than the usual load balancer's 60 s, so that it never uses a connection we just closed.
   */
  keepAliveMs?: number;
}

declare module 'node:http' {
  interface ServerResponse {
    casewatchEventStream?: true;
  }
}

/**
 * Makes an answer one that a server ends when it drains. For event streams whose head was written in one call: these headers can't be
 * read back, which spares each stream a kilobyte.
 */
export function markEventStream(res: ServerResponse): void {
  res.casewatchEventStream = true;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const MAX_HEADER_BYTES = 16_384;
const DRAIN_TIMEOUT_MS = 8_000;
const IDLE_CHECK_MS = 50;
/**
 * The backlog of connections that wait to be accepted; the kernel may allow fewer (`net.core.somaxconn`, 4,096 on Linux). With Node's
 * 511, most clients that come back at once after a restart would be dropped and try again after 1, 3, 7 and more seconds.
 */
const BACKLOG = 4_096;

/** Listens with the limits of reliability promise S3. @throws the listen error (EADDRINUSE, EACCES). */
export async function listen(
  handler: RequestListener,
  { host, port, keepAliveMs = KEEP_ALIVE_TIMEOUT_MS }: ListenOptions,
): Promise<ListeningServer> {
  let leaving = false;
  // The newest answer of each connection. Kept per connection and not per request: a collection that changes with
  // every request lives in the old generation and makes the garbage collector keep finished ones for long.
  const connections = new Map<Socket, { newest: ServerResponse | undefined }>();
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: 1_000,
      insecureHTTPParser: false,
    },
    (req, res) => {
      if (leaving) res.setHeader('Connection', 'close');
      const connection = connections.get(req.socket);
      if (connection) connection.newest = res;
      handler(req, res);
    },
  );
  server.on('connection', (socket) => {
    connections.set(socket, { newest: undefined });
    // A socket closes once; `once` would keep a wrapper for it as long.
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const actual = (server.address() as AddressInfo).port;
  return {
    port: actual,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    leave,
    drain: (withinMs = DRAIN_TIMEOUT_MS, streamsWithinMs = 0) => {
      leave();
      const startedMs = performance.now();
      const endsAfterMs = new WeakMap<ServerResponse, number>();
      return close(server, withinMs, () => {
        for (const { newest } of connections.values()) {
          if (!newest || !isEventStream(newest)) continue;
          const endAfterMs = endsAfterMs.get(newest) ?? streamsWithinMs * Math.random();
          endsAfterMs.set(newest, endAfterMs);
          if (performance.now() - startedMs >= endAfterMs) newest.end();
        }
      });
    },
  };

  function leave(): void {
    leaving = true;
    for (const { newest } of connections.values()) {
      if (newest && !newest.headersSent) newest.setHeader('Connection', 'close');
    }
  }
}

function isEventStream(res: ServerResponse): boolean {
  if (!res.headersSent || res.writableEnded) return false;
  return res.casewatchEventStream ?? String(res.getHeader('content-type')).startsWith('text/event-stream');
}

function close(server: Server, withinMs: number, endStreams: () => void): Promise<void> {
  // Repeatedly: an answer in progress without `Connection: close` leaves an idle connection behind when
  // it ends, and a stream may have been about to begin.
  const idleCheck = setInterval(() => {
    endStreams();
    server.closeIdleConnections();
  }, IDLE_CHECK_MS);
  const cutOff = setTimeout(() => server.closeAllConnections(), withinMs);
  return new Promise((resolve) => {
    server.close(() => {
      clearInterval(idleCheck);
      clearTimeout(cutOff);
      resolve();
    });
    server.closeIdleConnections();
  });
}
