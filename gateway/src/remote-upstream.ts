import type { IncomingMessage } from 'node:http';
import { isEventStream } from '@casewatch/contracts/route-contract';
import { Pool } from 'undici';
import { proxyRequest } from './proxy-request.ts';
import { createStreamProxy } from './stream-proxy.ts';
import type { Forward, RemoteUpstreamOptions } from './upstream.ts';

/**
 * Proxies to a service in another process over keep-alive connections: event streams with http-proxy-middleware,
 * everything else with undici (ADR 16). A service that can't be reached, does not begin its answer within `timeoutMs` or
 * answers with the error page of a proxy becomes 503 UNAVAILABLE; a client that leaves cancels its request to the
 * service. Reads are retried once when a keep-alive connection turns out closed.
 */
export function createRemoteUpstream(options: RemoteUpstreamOptions): {
  forward: Forward;
  /** Breaks off the requests in flight. */
  stop(): Promise<void>;
} {
  const { url, timeoutMs } = options;
  const { origin, host, pathname } = new URL(url);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connectTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    allowH2: false,
  });
  const streams = createStreamProxy(options);

  return {
    forward(req, res, next, contract) {
      req.headers.host = host;
      if (isEventStream(contract)) return streams.forward(req, res, next, contract);
      const send = (body: Buffer | null) =>
        proxyRequest(options, { pool, path: prefix + req.url, body, req, res, next });
      if (Number(req.headers['content-length'] ?? 0) === 0) send(null);
      else readBody(req, send);
    },
    stop: async () => {
      streams.stop();
      await pool.destroy();
    },
  };
}

/**
 * Reads the whole body before anything is sent: it is at most 100 kB, a slow client holds no connection to a service, and
 * no service sees half of one. Nothing is sent for a client that leaves before the end.
 */
function readBody(req: IncomingMessage, send: (body: Buffer) => void): void {
  const pieces: Buffer[] = [];
  req.on('data', (piece: Buffer) => pieces.push(piece));
  req.once('end', () => send(Buffer.concat(pieces)));
}
