import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { Logger } from '@casewatch/platform/runtime/logger';
import type { ClientCalls, ClientOutcome } from '@casewatch/platform/telemetry/http-metrics';
import type { Tracing } from '@casewatch/platform/telemetry/tracing';
import type { NextFunction, Request, Response } from 'express';
import type { Dispatcher } from 'undici';
import { passOnHeaders } from './pass-on-headers.ts';
import { unavailable } from './upstream.ts';

export interface PassageOptions {
  service: ServiceName;
  logger: Logger;
  ownHeaders: ReadonlySet<string>;
  count: ClientCalls;
  tracing: Tracing;
}

export interface PassageStart {
  pool: Dispatcher;
  path: string;
  body: Buffer | null;
  req: Request;
  res: Response;
  next: NextFunction;
}

/** Errors of a kept connection that the other end closed at the same moment. */
const CLOSED_MEANWHILE: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const SILENT: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Brings requests to one service and their answers back, piece by piece and no faster than the client reads. What goes
 * wrong before the first piece is told to `next` as UNAVAILABLE; later it breaks the answer off.
 */
export function createPassages(options: PassageOptions): { begin(start: PassageStart): void } {
  return {
    begin(start) {
      // Left while its session was looked up, or before its body was whole.
      if (start.res.closed) return;
      const passage = new Passage(options, start);
      start.res.once('close', () => passage.clientClosed());
      passage.send();
    },
  };
}

/** A class, as one is made for each request: its methods are undici's callbacks. */
class Passage implements Dispatcher.DispatchHandler {
  readonly #options: PassageOptions;
  readonly #start: PassageStart;
  /** What is told of a failure belongs to the trace of the request, which the connection knows nothing of. */
  readonly #inTrace: ReturnType<typeof AsyncLocalStorage.snapshot> | undefined;
  /** Undefined once it has been told how long the service took. */
  #startedAt: number | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #tried = 0;
  /** Nothing more is expected of the service, or nobody is there to hear it. */
  #over = false;
  #head: { status: number; headers: IncomingHttpHeaders } | undefined;
  /** Bytes of the answer yet to come; NaN while unknown. */
  #left = Number.NaN;

  constructor(options: PassageOptions, start: PassageStart) {
    this.#options = options;
    this.#start = start;
    if (options.tracing.on) this.#inTrace = AsyncLocalStorage.snapshot();
  }

  send(): void {
    const { pool, path, body, req } = this.#start;
    this.#tried += 1;
    this.#startedAt = performance.now();
    this.#head = undefined;
    pool.dispatch({ path, method: req.method, headers: req.headers, body }, this);
  }

  clientClosed(): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller?.abort(new Error('the client has left'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('the client has left'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Interim answers (1xx) end at this connection.
    if (this.#over || status < 200) return;
    if (isBrokenProxy(status, headers)) {
      this.#fail(
        'failed',
        new Error(`${this.#options.service} answered ${status} and not as a service does`),
      );
      controller.abort(new Error('not of interest'));
      return;
    }
    this.#note(status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed');
    this.#head = { status, headers };
    this.#left = Number(headers['content-length'] ?? Number.NaN);
    // A stream is silent until something happens, which the client must not take for no answer.
    if (isEventStream(headers)) {
      this.#begin();
      this.#start.res.flushHeaders();
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    const { res } = this.#start;
    // What arrives in the moment after the end of a stream can't be written any more.
    if (this.#over || res.writableEnded) return;
    this.#begin();
    this.#left -= piece.length;
    if (this.#left === 0) {
      // Head and last piece leave in one packet.
      res.end(piece);
    } else if (!res.write(piece)) {
      controller.pause();
      res.once('drain', () => controller.resume());
    }
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#over = true;
    this.#begin();
    this.#start.res.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return;
    const { res, req } = this.#start;
    if (res.headersSent) {
      this.#over = true;
      res.destroy();
    } else if (this.#tried === 1 && isRepeatable(req) && CLOSED_MEANWHILE.has(codeOf(error))) {
      this.send();
    } else {
      this.#fail(SILENT.has(codeOf(error)) ? 'timeout' : 'failed', error);
    }
  }

  /** The head is kept until there is something to send with it: until then a failure can be answered well. */
  #begin(): void {
    if (!this.#head) return;
    const { res } = this.#start;
    res.statusCode = this.#head.status;
    passOnHeaders(this.#head.headers, res, this.#options.ownHeaders);
    this.#head = undefined;
  }

  #fail(outcome: ClientOutcome, error: Error): void {
    this.#over = true;
    const { service, logger } = this.#options;
    this.#note(outcome);
    const tell = () => {
      logger.warn({ upstream: service, code: codeOf(error), reason: error.message }, 'upstream failed');
      this.#start.next(unavailable(error));
    };
    if (this.#inTrace) this.#inTrace(tell);
    else tell();
  }

  #note(outcome: ClientOutcome): void {
    const { count, service } = this.#options;
    if (this.#startedAt !== undefined) count(service, outcome, (performance.now() - this.#startedAt) / 1e3);
    this.#startedAt = undefined;
  }
}

/** Errors of services are JSON; a page is that of a proxy in between that finds no service. */
function isBrokenProxy(status: number, headers: IncomingHttpHeaders): boolean {
  return status >= 502 && !headers['content-type']?.startsWith('application/json');
}

function isEventStream(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false;
}

/** Only reads, and without a body. */
function isRepeatable(req: Request): boolean {
  return SAFE_METHODS.has(req.method) && Number(req.headers['content-length'] ?? 0) === 0;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
