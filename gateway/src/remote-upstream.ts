import type { IncomingMessage } from 'node:http';
import type { RouteContract, ServiceName } from '@casewatch/contracts/route-contract';
import type { Logger } from '@casewatch/platform/runtime/logger';
import type { ClientCalls } from '@casewatch/platform/telemetry/http-metrics';
import type { Tracing } from '@casewatch/platform/telemetry/tracing';
import { Pool } from 'undici';
import { createPassages } from './passage.ts';
import type { Forward } from './upstream.ts';

export interface RemoteUpstreamOptions {
  service: ServiceName;
  url: string;
  timeoutMs: number;
  logger: Logger;
  /** Lower-case names of headers that the gateway alone sets. */
  ownHeaders: ReadonlySet<string>;
  /** Told how long the service took to begin its answer. */
  count: ClientCalls;
  tracing: Tracing;
}

/** Several heartbeats of an event stream missed in a row. */
const STREAM_SILENCE_MS = 60_000;

/**
 * Proxies to a service in another process over kept connections. A service that can't be reached, stays silent
 * for `timeoutMs` or answers as only a broken proxy does becomes 503 UNAVAILABLE; a client that leaves takes its
 * request to the service with it. Reads are tried once more when a kept connection turns out closed.
 */
export function createRemoteUpstream(options: RemoteUpstreamOptions): {
  forward: Forward;
  /** Breaks off what is still under way. */
  stop(): Promise<void>;
} {
  const { url, timeoutMs } = options;
  const { origin, host, pathname } = new URL(url);
  const prefix = pathname.replace(/\/$/, '');
  const connect = (bodyTimeout: number) =>
    new Pool(origin, { connectTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout, allowH2: false });
  const calls = connect(timeoutMs);
  // Apart, so that finding a free connection for a call never means looking through all that streams hold.
  const streams = connect(STREAM_SILENCE_MS);
  const passages = createPassages(options);

  return {
    forward(req, res, next, contract) {
      req.headers.host = host;
      const pool = isEventStream(contract) ? streams : calls;
      const send = (body: Buffer | null) =>
        passages.begin({ pool, path: prefix + req.url, body, req, res, next });
      if (Number(req.headers['content-length'] ?? 0) === 0) send(null);
      else readBody(req, send);
    },
    stop: async () => {
      await Promise.all([calls.destroy(), streams.destroy()]);
    },
  };
}

function isEventStream({ answerType }: RouteContract): boolean {
  return answerType === 'text/event-stream';
}

/**
 * The whole body before anything is sent: it is at most 100 kB, a slow client holds no connection to a service, and no
 * service ever sees half of one. A client that leaves before the end is never heard of again.
 */
function readBody(req: IncomingMessage, send: (body: Buffer) => void): void {
  const pieces: Buffer[] = [];
  req.on('data', (piece: Buffer) => pieces.push(piece));
  req.once('end', () => send(Buffer.concat(pieces)));
}
