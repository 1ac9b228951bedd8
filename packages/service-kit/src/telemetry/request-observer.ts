import type { IncomingMessage, ServerResponse } from 'node:http';
import { isEventStream, type RouteContract } from '@casewatch/contracts/route-contract';
import type { Attributes } from '@opentelemetry/api';
import { serverRequestAttributes, serverRequestSeconds } from './http-metrics.ts';
import type { Telemetry } from './telemetry.ts';
import { TRACEPARENT_HEADER } from './tracing.ts';

/** nginx's code for a client that disconnected before the answer. */
export const CLIENT_CLOSED = 499;

type Observe = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** Measures the requests of a service's routes and continues their traces. */
export function createRequestObserver({ meter, tracing }: Telemetry) {
  const seconds = serverRequestSeconds(meter);

  return (contract: RouteContract): Observe => {
    const { service, method, path } = contract;
    const byStatus = new Map<number, Attributes>();
    const attributesOf = (status: number): Attributes => {
      const known = byStatus.get(status);
      if (known) return known;
      const made = serverRequestAttributes(service, method, path, status);
      byStatus.set(status, made);
      return made;
    };
    const name = `${service} ${method} ${path}`;
    return (req, res, next) => {
      const startedMs = performance.now();
      const span = tracing.on
        ? tracing.open({ name, kind: 'server', parent: traceparentOf(req) })
        : undefined;
      res.on('close', () => {
        const status = res.writableFinished ? res.statusCode : CLIENT_CLOSED;
        seconds.record((performance.now() - startedMs) / 1e3, attributesOf(status));
        endSpan(status);
      });
      const endSpan = (status: number) =>
        span?.end({
          attributes: { 'http.route': path, 'http.response.status_code': status },
          failed: status >= 500,
        });
      if (span && isEventStream(contract)) whenStreamOpens(res, () => endSpan(res.statusCode));
      if (span) span.run(next);
      else next();
    };
  };
}

function traceparentOf({ headers }: IncomingMessage): string | undefined {
  const header = headers[TRACEPARENT_HEADER];
  return Array.isArray(header) ? header[0] : header;
}

/**
 * Calls the listener when the head of an event stream is sent, which is before its first event: a span that lasted as long as its
 * stream would be kept in memory for hours.
 */
export function whenStreamOpens(res: ServerResponse, listener: () => void): void {
  const { flushHeaders } = res;
  res.flushHeaders = () => {
    res.flushHeaders = flushHeaders;
    res.flushHeaders();
    listener();
  };
}
