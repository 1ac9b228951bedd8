import http from 'node:http';
import https from 'node:https';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { Logger } from '@casewatch/platform/runtime/logger';
import type { ClientCalls, ClientOutcome } from '@casewatch/platform/telemetry/http-metrics';
import type { NextFunction, Request, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { type Forward, unavailable } from './upstream.ts';

export interface RemoteUpstreamOptions {
  service: ServiceName;
  url: string;
  timeoutMs: number;
  logger: Logger;
  /** Lower-case names of headers that the gateway alone sets. */
  ownHeaders: ReadonlySet<string>;
  /** Told how long the service took to begin its answer. */
  count: ClientCalls;
}

/** One connection's headers (RFC 9110, 7.6.1), and what would tell outsiders about a service's insides. */
const NOT_PASSED_ON = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'date',
  'server',
  'x-powered-by',
  'x-request-id',
]);
/** Errors of a kept connection that the other end closed at the same moment. */
const CLOSED_MEANWHILE = new Set(['ECONNRESET', 'EPIPE']);
/** Several heartbeats of an event stream missed in a row. */
const STREAM_SILENCE_MS = 60_000;
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** What is known of a request under way, kept on its response: a WeakMap would cost the garbage collector more. */
interface Proxied extends Response {
  passage?: { next: NextFunction; retried: boolean; startedAt: number } | undefined;
}

/**
 * Proxies to a service in another process over kept connections. A service that can't be reached, stays silent
 * for `timeoutMs` or answers as only a broken proxy does becomes 503 UNAVAILABLE; a client that leaves takes its
 * request to the service with it. Reads are tried once more when a kept connection turns out closed.
 */
export function createRemoteUpstream(options: RemoteUpstreamOptions): { forward: Forward; stop(): void } {
  const { url, timeoutMs, logger, service, ownHeaders, count } = options;
  const agentOptions = { keepAlive: true, timeout: timeoutMs };
  const agent = url.startsWith('https:') ? new https.Agent(agentOptions) : new http.Agent(agentOptions);

  const proxy = createProxyMiddleware<Request, Proxied>({
    target: url,
    agent,
    changeOrigin: true,
    selfHandleResponse: true,
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('proxyReq', (proxyReq) => {
          // A connection that was idle still has the shorter time for which it was to be kept.
          proxyReq.setTimeout(timeoutMs, () => proxyReq.destroy(new SilentUpstream(timeoutMs)));
        });
        server.on('proxyRes', (answer, _req, res) => passOn(answer, res));
        server.on('error', (error, req, res) => {
          if (req && res && 'req' in res) failed(error, req, res);
        });
      },
    ],
  });

  function forward(req: Request, res: Proxied, next: NextFunction): void {
    res.passage = { next, retried: false, startedAt: performance.now() };
    void proxy(req, res);
  }

  function passOn(answer: http.IncomingMessage, res: Proxied): void {
    const status = answer.statusCode ?? 502;
    if (status >= 502 && !answer.headers['content-type']?.startsWith('application/json')) {
      answer.resume();
      fail(new Error(`${service} answered ${status} and not as a service does`), res);
      return;
    }
    note(res, status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed');
    res.statusCode = status;
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !NOT_PASSED_ON.has(name) && !ownHeaders.has(name))
        res.setHeader(name, value);
    }
    if (isEventStream(answer)) letFlow(answer, res);
    answer.pipe(res);
  }

  /** A stream is silent between its heartbeats, and is ended on this side when the gateway drains. */
  function letFlow(answer: http.IncomingMessage, res: Proxied): void {
    answer.socket.setTimeout(STREAM_SILENCE_MS);
    // What arrives in the moment after the end can't be written any more.
    res.on('error', () => undefined);
    res.flushHeaders();
  }

  function failed(error: Error, req: Request, res: Proxied): void {
    const { passage } = res;
    if (!passage || res.closed || req.socket.destroyed) return;
    if (res.headersSent) {
      res.destroy();
    } else if (!passage.retried && isRepeatable(req) && CLOSED_MEANWHILE.has(codeOf(error))) {
      passage.retried = true;
      void proxy(req, res);
    } else {
      fail(error, res);
    }
  }

  function note({ passage }: Proxied, outcome: ClientOutcome): void {
    if (passage) count(service, outcome, (performance.now() - passage.startedAt) / 1e3);
  }

  function fail(error: Error, res: Proxied): void {
    const { passage } = res;
    note(res, error instanceof SilentUpstream ? 'timeout' : 'failed');
    res.passage = undefined;
    logger.warn({ upstream: service, code: codeOf(error), reason: error.message }, 'upstream failed');
    passage?.next(unavailable(error));
  }

  return { forward, stop: () => agent.destroy() };
}

function isEventStream({ headers }: http.IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false;
}

/** Only reads, and without a body: it has been sent and can't be sent again. */
function isRepeatable(req: Request): boolean {
  return SAFE_METHODS.has(req.method) && Number(req.headers['content-length'] ?? 0) === 0;
}

class SilentUpstream extends Error {
  override readonly name = 'SilentUpstream';
  readonly code = 'ETIMEDOUT';
  constructor(timeoutMs: number) {
    super(`silent for ${timeoutMs} ms`);
  }
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
