import http from 'node:http';
import https from 'node:https';
import { markEventStream } from '@casewatch/service-kit/http/http-server';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { writeHead } from './response-headers.ts';
import {
  codeOf,
  type Forward,
  isProxyErrorPage,
  isRetryable,
  type Next,
  type RemoteUpstreamOptions,
  UpstreamCall,
} from './upstream.ts';

/** One request for a stream, while its answer has not begun. */
interface PendingStream {
  answered(status: number): void;
  fail(error: Error): void;
}

const TIMED_OUT = 'ETIMEDOUT';

/**
 * Proxies event streams with http-proxy-middleware, over keep-alive connections of their own. The answer has to begin
 * within `timeoutMs`; after that a stream may be silent for any time: TCP keep-alive detects a lost host. A failure
 * before the answer begins goes to `next` as UNAVAILABLE; a later one breaks the stream off.
 */
export function createStreamProxy(options: RemoteUpstreamOptions): { forward: Forward; stop(): void } {
  const { url, timeoutMs, ownHeaders } = options;
  const { Agent } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true });
  const pending = new WeakMap<http.IncomingMessage, PendingStream>();

  const proxy = createProxyMiddleware({
    target: url,
    agent,
    // The library's own plugins log to the console and answer in its own format.
    ejectPlugins: true,
    selfHandleResponse: true,
    plugins: [
      (events) => {
        events.on('proxyReq', (proxyReq, req) => {
          limitTimeToAnswer(proxyReq, timeoutMs);
          proxyReq.once('upgrade', (_answer, socket) => {
            socket.destroy();
            pending.get(req)?.fail(new Error('answered with another protocol'));
          });
        });
        events.on('proxyRes', receive);
        events.on('error', (error, req) => req && pending.get(req)?.fail(error));
      },
    ],
  });

  function receive(answer: http.IncomingMessage, req: http.IncomingMessage, res: http.ServerResponse): void {
    const status = answer.statusCode ?? 0;
    if (isProxyErrorPage(status, answer.headers['content-type'])) {
      pending.get(req)?.fail(new Error(`answered ${status} with a page`));
      answer.destroy();
      return;
    }
    pending.get(req)?.answered(status);
    writeHead(res, { status, headers: answer.headers }, ownHeaders);
    if (answer.headers['content-type']?.startsWith('text/event-stream')) markEventStream(res);
    // A stream is silent until something happens: its head does not wait for the first event.
    res.flushHeaders();
    copyBody(answer, res);
  }

  return {
    forward(req, res, next) {
      // The client may have left while its session was resolved.
      if (res.closed) return;
      let attempts = 0;
      const call = new UpstreamCall(options);
      const send = () => {
        attempts += 1;
        call.start();
        void proxy(req, res, onRejected);
      };
      const fail = (error: Error) => {
        // What has begun is broken off by the library; a client that left needs no answer.
        if (res.headersSent || res.closed) return;
        if (attempts === 1 && isRetryable(req, error)) send();
        else call.fail(codeOf(error) === TIMED_OUT ? 'timeout' : 'failed', error, next);
      };
      const onRejected: Next = (error?: unknown) => {
        if (error instanceof Error) fail(error);
      };
      pending.set(req, { fail, answered: (status) => call.answered(status) });
      send();
    },
    stop: () => agent.destroy(),
  };
}

/** Bounds connecting and waiting for the head of the answer together. */
function limitTimeToAnswer(request: http.ClientRequest, timeoutMs: number): void {
  const timer = setTimeout(() => {
    request.destroy(Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: TIMED_OUT }));
  }, timeoutMs);
  const clear = () => clearTimeout(timer);
  request.once('response', clear).once('close', clear);
}

/** No faster than the client reads. What arrives after the gateway has ended the stream is dropped. */
function copyBody(answer: http.IncomingMessage, res: http.ServerResponse): void {
  answer.on('data', (piece: Buffer) => {
    if (res.writableEnded || res.write(piece)) return;
    answer.pause();
    res.once('drain', () => answer.resume());
  });
  answer.once('end', () => {
    if (!res.writableEnded) res.end();
  });
}
