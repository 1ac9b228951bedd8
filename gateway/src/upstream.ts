import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteContract, ServiceName } from '@casewatch/contracts/route-contract';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { ServiceRouter } from '@casewatch/service-kit/http/service-router';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { ClientCalls, ClientOutcome } from '@casewatch/service-kit/telemetry/http-metrics';
import type { Tracing } from '@casewatch/service-kit/telemetry/tracing';
import type { RequestHandler } from 'express';
import type { SecurityHeaders } from './security-headers.ts';

/** Where a service is: a router in this process, or the base URL of another one. */
export type Upstream = LocalUpstream | { kind: 'remote'; url: string };
export interface LocalUpstream {
  kind: 'local';
  router: RequestHandler & Pick<ServiceRouter, 'directAnswer'>;
}
export type Upstreams = ReadonlyMap<ServiceName, Upstream>;

/** Takes a request that could not be answered, with the reason if there is one. */
export type Next = (error?: unknown) => void;

/** Hands a request to one service, wherever it is. Errors go to `next`. */
export type Forward = (
  req: IncomingMessage,
  res: ServerResponse,
  next: Next,
  contract: RouteContract,
) => void;

export interface RemoteUpstreamOptions {
  service: ServiceName | 'streams';
  url: string;
  timeoutMs: number;
  logger: Logger;
  ownHeaders: SecurityHeaders;
  /** Records how long the service took to begin its answer. */
  count: ClientCalls;
  tracing: Tracing;
}

const RETRY_AFTER_SECONDS = 2;
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** Errors of a keep-alive connection that the other end closed at the same moment. */
const STALE_CONNECTION: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Returns the error that a client gets when a service can't be reached. */
export function unavailable(cause?: unknown): AppError {
  return new AppError('UNAVAILABLE', 'UNAVAILABLE', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** Measures one call to a service, and reports its failure; each is recorded once. */
export class UpstreamCall {
  readonly #options: RemoteUpstreamOptions;
  /** A failure belongs to the trace of the request; callbacks of a pooled connection run outside of it. */
  readonly #inTrace: ReturnType<typeof AsyncLocalStorage.snapshot> | undefined;
  #startedAt: number | undefined;

  constructor(options: RemoteUpstreamOptions) {
    this.#options = options;
    if (options.tracing.on) this.#inTrace = AsyncLocalStorage.snapshot();
  }

  start(): void {
    this.#startedAt = performance.now();
  }

  answered(status: number): void {
    this.#record(status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed');
  }

  /** Answers the client with UNAVAILABLE. */
  fail(outcome: ClientOutcome, error: Error, next: Next): void {
    this.#record(outcome);
    const { logger, service } = this.#options;
    const report = () => {
      logger.warn(
        { upstream: service, code: codeOf(error), reason: error.message },
        'gateway: upstream failed, answering 503',
      );
      next(unavailable(error));
    };
    if (this.#inTrace) this.#inTrace(report);
    else report();
  }

  #record(outcome: ClientOutcome): void {
    const { count, service } = this.#options;
    if (this.#startedAt !== undefined) count(service, outcome, (performance.now() - this.#startedAt) / 1e3);
    this.#startedAt = undefined;
  }
}

/** Errors of services are JSON; a 502 to 504 with another type is the page of a proxy that finds no service. */
export function isProxyErrorPage(status: number, contentType: string | undefined): boolean {
  return status >= 502 && !contentType?.startsWith('application/json');
}

/** Returns whether the request can be sent again: a read without a body, on a connection that turned out closed. */
export function isRetryable(req: IncomingMessage, error: Error): boolean {
  const isRead = SAFE_METHODS.has(req.method ?? '') && Number(req.headers['content-length'] ?? 0) === 0;
  return isRead && STALE_CONNECTION.has(codeOf(error));
}

export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
