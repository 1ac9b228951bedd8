import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { type AnswerHead, writeHead } from './response-headers.ts';
import {
  codeOf,
  isProxyErrorPage,
  isRetryable,
  type Next,
  type RemoteUpstreamOptions,
  UpstreamCall,
} from './upstream.ts';

export interface RequestToProxy {
  pool: Dispatcher;
  path: string;
  body: Buffer | null;
  req: IncomingMessage;
  res: ServerResponse;
  next: Next;
}

const TIMEOUTS: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/**
 * Sends a request to a service and its answer back, no faster than the client reads. A failure before the first byte
 * of the answer goes to `next` as UNAVAILABLE; a later one breaks the answer off.
 */
export function proxyRequest(options: RemoteUpstreamOptions, request: RequestToProxy): void {
  // The client may have left while its session was resolved, or before its body was complete.
  if (request.res.closed) return;
  const proxied = new ProxiedRequest(options, request);
  request.res.on('close', () => proxied.clientClosed());
  proxied.send();
}

/** A class, as one is made for each request: its methods are undici's callbacks. */
class ProxiedRequest implements Dispatcher.DispatchHandler {
  readonly #options: RemoteUpstreamOptions;
  readonly #request: RequestToProxy;
  readonly #call: UpstreamCall;
  #controller: Dispatcher.DispatchController | undefined;
  #attempts = 0;
  /** The service's answer is complete, or the client has disconnected. */
  #done = false;
  #head: AnswerHead | undefined;
  /** Bytes of the answer yet to come; NaN while unknown. */
  #bytesLeft = Number.NaN;

  constructor(options: RemoteUpstreamOptions, request: RequestToProxy) {
    this.#options = options;
    this.#request = request;
    this.#call = new UpstreamCall(options);
  }

  send(): void {
    const { pool, path, body, req } = this.#request;
    this.#attempts += 1;
    this.#call.start();
    this.#head = undefined;
    pool.dispatch({ path, method: req.method ?? 'GET', headers: req.headers, body }, this);
  }

  clientClosed(): void {
    if (this.#done) return;
    this.#done = true;
    this.#controller?.abort(new Error('the client has left'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#done) controller.abort(new Error('the client has left'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Interim answers (1xx) end at this connection.
    if (this.#done || status < 200) return;
    if (isProxyErrorPage(status, headers['content-type'])) {
      this.#fail('failed', new Error(`answered ${status} with a page`));
      controller.abort(new Error('not needed'));
      return;
    }
    this.#call.answered(status);
    this.#head = { status, headers };
    this.#bytesLeft = Number(headers['content-length'] ?? Number.NaN);
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    const { res } = this.#request;
    if (this.#done) return;
    this.#sendHead();
    this.#bytesLeft -= piece.length;
    if (this.#bytesLeft === 0) {
      // Head and last piece leave in one packet.
      res.end(piece);
    } else if (!res.write(piece)) {
      controller.pause();
      res.once('drain', () => controller.resume());
    }
  }

  onResponseEnd(): void {
    if (this.#done) return;
    this.#done = true;
    this.#sendHead();
    this.#request.res.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#done) return;
    const { res, req } = this.#request;
    if (res.headersSent) {
      this.#done = true;
      res.destroy();
    } else if (this.#attempts === 1 && isRetryable(req, error)) {
      this.send();
    } else {
      this.#fail(TIMEOUTS.has(codeOf(error)) ? 'timeout' : 'failed', error);
    }
  }

  /** The head waits for the first byte of the body: until then a failure can still be answered with 503. */
  #sendHead(): void {
    if (!this.#head) return;
    writeHead(this.#request.res, this.#head, this.#options.ownHeaders);
    this.#head = undefined;
  }

  #fail(outcome: 'failed' | 'timeout', error: Error): void {
    this.#done = true;
    this.#call.fail(outcome, error, this.#request.next);
  }
}
